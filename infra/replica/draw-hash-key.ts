// A key for the engine's hash tables that nobody outside can know, so that nobody can choose
// texts that collide. No event and no state depends on it, so every process draws its own.

import { randomInt } from 'node:crypto';

const HALF = 2 ** 32;

export function drawHashKey(): { readonly low: number; readonly high: number } {
  return { low: randomInt(HALF) | 0, high: randomInt(HALF) | 0 };
}
