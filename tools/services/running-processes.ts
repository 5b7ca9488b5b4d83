// Identifies processes. The system reuses a pid after its process has exited, so a process is
// identified by its pid and start time; a signal is never sent to a pid alone.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export type KnownProcess = {
  pid: number;
  /** Start time in the system's format; only compared, never parsed. */
  began: string;
};

export function knownProcess(pid: number): KnownProcess {
  return { pid, began: startTimeOf(pid) ?? 'unknown' };
}

export function isRunning({ pid, began }: KnownProcess): boolean {
  return startTimeOf(pid) === began;
}

/** Sends the signal if the pid still belongs to this process. */
export function signalProcess(known: KnownProcess, signal: NodeJS.Signals): void {
  if (!isRunning(known)) return;
  try {
    process.kill(known.pid, signal);
  } catch (fault) {
    // The process might have exited in the meantime.
    if ((fault as NodeJS.ErrnoException).code !== 'ESRCH') throw fault;
  }
}

function startTimeOf(pid: number): string | undefined {
  if (process.platform !== 'linux') return startTimeByPs(pid);
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
 * Returns the state and start time of a process from /proc/PID/stat. The program name is in
 * brackets and can contain brackets and spaces, so the fields are counted after it.
 */
export function parseProcessStatus(
  line: string,
): { hasEnded: boolean; beganTicks: string } | undefined {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, beganTicks] = [fields[0], fields[19]];
  if (beganTicks === undefined) return undefined;
  // An exited process remains in the process table until its parent reads its status.
  return { hasEnded: state === 'Z' || state === 'X', beganTicks };
}

function startTimeByPs(pid: number): string | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  const began = stdout.trim();
  return began === '' ? undefined : began;
}
