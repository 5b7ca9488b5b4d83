// Runs test files in this one process until the first test fails, and prints that one as a line
// of JSON: `node main.ts FILE…`. Leaves with 1 then, with 0 when all have passed.

import { run } from 'node:test';
import { startedBy } from '../../../../tools/command-line.ts';

startedBy('npm run drill -- mutations');

const tests = run({ files: process.argv.slice(2), isolation: 'none' });

// A listener hears of a failure before the next test begins; a loop over the stream does not.
tests.on('test:fail', ({ name, file, details }) => {
  // A suite fails because of a test in it, which has been told before.
  if (details.type === 'suite') return;
  console.log(JSON.stringify({ name, file }));
  process.exit(1);
});
tests.resume();
