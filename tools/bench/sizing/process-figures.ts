// Processor time, wake-ups and memory of processes, from /proc, so only on Linux.

import { readdirSync, readFileSync } from 'node:fs';

export interface Used {
  /** Microseconds. */
  readonly cpuUs: number;
  /** Times that a thread went to sleep. */
  readonly wakeups: number;
}

/** Returns what the processes have used so far. The time of threads that exited is missing. */
export function usedBy(pids: readonly number[]): Used {
  let cpuNs = 0;
  let wakeups = 0;
  for (const pid of pids) {
    for (const thread of threadsOf(pid)) {
      const at = `/proc/${pid}/task/${thread}`;
      cpuNs += Number(readText(`${at}/schedstat`)?.split(' ')[0] ?? 0);
      wakeups += Number(
        /^voluntary_ctxt_switches:\s+(\d+)/m.exec(readText(`${at}/status`) ?? '')?.[1] ?? 0,
      );
    }
  }
  return { cpuUs: cpuNs / 1_000, wakeups };
}

/** Returns megabytes. Pages that processes share are divided among them. */
export function memoryMb(pids: readonly number[]): number {
  const sizes = pids.map((pid) => {
    const [, kilobytes = '0'] =
      /^Pss:\s+(\d+)/m.exec(readText(`/proc/${pid}/smaps_rollup`) ?? '') ?? [];
    return Number(kilobytes) / 1_024;
  });
  return Math.round(sizes.reduce((sum, one) => sum + one, 0));
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Returns undefined if the process or thread has exited. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
