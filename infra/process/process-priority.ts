// Lowers the operating system's priority of this process, for work that must not slow others down.

import { existsSync, readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

const THREADS = '/proc/self/task';

/** From 0, the usual one, to 19, the lowest. It cannot be raised again. */
export function lowerPriority(nice: number): void {
  if (nice === 0) return;
  // On Linux each thread has its own priority, and some threads exist before this call.
  const threads = existsSync(THREADS) ? readdirSync(THREADS).map(Number) : [0];
  for (const thread of threads) {
    try {
      setPriority(thread, nice);
    } catch (fault) {
      // A thread might end in the meantime.
      if ((fault as { info?: { code?: string } }).info?.code !== 'ESRCH') throw fault;
    }
  }
}
