// Preloaded into every test file by main.ts. Fails a file whose tests are done but whose process
// stays alive because something is still open, and names what is open.

import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';

/** Time limit for a file to close its sockets, servers and timers. Taking longer is a leak. */
const CLOSING_MS = 60_000;

if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined) {
  after(() => {
    setTimeout(failOpenFile, CLOSING_MS).unref();
  });
}

function failOpenFile(): void {
  const open = process.getActiveResourcesInfo().join(', ');
  console.error(`${process.argv[1]}: still open ${CLOSING_MS} ms after the last test: ${open}`);
  process.exit(1);
}
