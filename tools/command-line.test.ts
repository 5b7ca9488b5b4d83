// Sentences that tools print for expected faults.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explainFault, ToolFault } from './command-line.ts';

test('faults of servers and files are one sentence, and bugs are not explained', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  });
  const sentence =
    'Cannot connect to PostgreSQL: connect ECONNREFUSED 127.0.0.1:1. ' +
    'Start it with `npm run services -- start`, or fix RIALTO_POSTGRES_URL.';
  assert.equal(explainFault(refused), sentence);
  assert.equal(explainFault(new AggregateError([refused])), sentence);
  const missing = Object.assign(new Error("ENOENT: no such file, open 'x'"), {
    code: 'ENOENT',
    syscall: 'open',
  });
  assert.equal(explainFault(missing), "ENOENT: no such file, open 'x'.");
  assert.equal(
    explainFault(new ToolFault('It failed', { cause: refused })),
    `It failed: ${refused.message}`,
  );
  assert.equal(explainFault(new TypeError('a bug')), undefined);
});
