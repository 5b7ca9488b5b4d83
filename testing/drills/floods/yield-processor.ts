// Gives this process the lowest priority against all others. Linux may compare sessions before
// processes, so a process needs a session of its own for this to count.

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
