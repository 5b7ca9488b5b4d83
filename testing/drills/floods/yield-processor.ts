// Gives this process the lowest priority. Linux can compare sessions before processes, so a process
// needs its own session for this to take effect.

import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const { PRIORITY_LOW } = constants.priority;

export function yieldProcessor(): void {
  setPriority(PRIORITY_LOW);
  try {
    writeFileSync('/proc/self/autogroup', String(PRIORITY_LOW));
  } catch {
    // This kernel does not group processes by session.
  }
}
