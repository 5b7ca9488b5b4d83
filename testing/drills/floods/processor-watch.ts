// Measures how much CPU each process uses, in cores, from /proc. This shows whether a slow answer
// is caused by a gateway's work or by a lack of CPU.

import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second on every supported machine. */
const TICK_MS = 10;

export class ProcessorWatch {
  readonly #pids: ReadonlyMap<string, number>;
  readonly #startMs = performance.now();
  readonly #usedMs: ReadonlyMap<string, number>;

  constructor(pids: ReadonlyMap<string, number>) {
    this.#pids = pids;
    this.#usedMs = this.#read();
  }

  /** Returns the cores in use since the start, by name. A process that has exited counts as 0. */
  cores(): Record<string, number> {
    const tookMs = performance.now() - this.#startMs;
    const now = this.#read();
    return Object.fromEntries(
      [...this.#usedMs].map(([name, usedMs]) => {
        const cores = ((now.get(name) ?? usedMs) - usedMs) / tookMs;
        return [name, Number(cores.toFixed(2))];
      }),
    );
  }

  #read(): Map<string, number> {
    return new Map([...this.#pids].map(([name, pid]) => [name, processorMs(pid)]));
  }
}

/** Returns user and system time of a process; 0 if it does not run. */
function processorMs(pid: number): number {
  try {
    // The name in parentheses can contain blanks; the fields after it do not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return 0;
  }
}
