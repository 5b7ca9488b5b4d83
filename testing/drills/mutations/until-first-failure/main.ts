// Runs test files in this process until the first test fails, and prints that test as a line of
// JSON: `node main.ts FILE…`. Exits with 1 after a failure and with 0 if all tests passed.

import { run } from 'node:test';
import { startedBy } from '../../../../tools/command-line.ts';

startedBy('npm run drill -- mutations');

const tests = run({ files: process.argv.slice(2), isolation: 'none' });

// A listener runs before the next test starts; a loop over the stream does not.
tests.on('test:fail', ({ name, file, details }) => {
  // A suite fails because of one of its tests, which was already reported.
  if (details.type === 'suite') return;
  console.log(JSON.stringify({ name, file }));
  process.exit(1);
});
tests.resume();
