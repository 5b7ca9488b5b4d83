// Preloaded into every test file by main.ts. A file whose tests are over, but whose process
// stays alive because something is still open, fails and names what is open.

import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';

/** How long a file may take to close its sockets, servers and timers. Longer waits are a leak. */
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
