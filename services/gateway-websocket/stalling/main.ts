// Preloaded into a test's gateway: SIGUSR2 stalls its event loop, as a bug or a flood would, while
// other threads keep running. Only tests load it.

import { isMainThread } from 'node:worker_threads';

const STALL_MS = 12_000;

if (isMainThread) {
  process.on('SIGUSR2', () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
  });
}
