// Which process a pid belongs to. A pid is used again after its process has ended, so it is kept
// together with the moment the process began; nothing is ever sent to a pid alone.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export type KnownProcess = {
  pid: number;
  /** When it began, in the words of the system; compared, never interpreted. */
  began: string;
};

export function knownProcess(pid: number): KnownProcess {
  return { pid, began: beginningOf(pid) ?? 'unknown' };
}

export function isRunning({ pid, began }: KnownProcess): boolean {
  return beginningOf(pid) === began;
}

/** Sends the signal if the process still is the one that is meant. */
export function signalProcess(known: KnownProcess, signal: NodeJS.Signals): void {
  if (!isRunning(known)) return;
  try {
    process.kill(known.pid, signal);
  } catch (fault) {
    // It may have ended just now.
    if ((fault as NodeJS.ErrnoException).code !== 'ESRCH') throw fault;
  }
}

function beginningOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return beginningByPs(pid);
  try {
    const status = parseProcessStatus(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    if (status === undefined || status.hasEnded) return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `tick ${status.beganTicks} of boot ${boot}`;
  } catch {
    return undefined;
  }
}

/**
 * The state and the start of a process from the line that Linux keeps of it. The name of its
 * program stands in brackets and may hold brackets and spaces, so fields are counted after it.
 */
export function parseProcessStatus(
  line: string,
): { hasEnded: boolean; beganTicks: string } | undefined {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, beganTicks] = [fields[0], fields[19]];
  if (beganTicks === undefined) return undefined;
  // A process that has ended stays in the table until its parent has asked how.
  return { hasEnded: state === 'Z' || state === 'X', beganTicks };
}

function beginningByPs(pid: number): string | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const began = stdout.trim();
  return began === '' ? undefined : began;
}
