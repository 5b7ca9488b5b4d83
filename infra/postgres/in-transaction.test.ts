// The end of a transaction: a certain outcome is reported, and an uncertain one is never called a
// failure.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { CommitUnknown, isPassingFault } from './faults.ts';
import { inTransaction } from './in-transaction.ts';

/** A connection on which one statement fails; records its statements. */
function sessionFailing(failing: string, fault: Error) {
  const asked: string[] = [];
  const query = async (text: string) => {
    asked.push(text);
    if (text === failing) throw fault;
    return { rows: [] };
  };
  return { asked, session: Object.assign(new pg.Client(), { query }) };
}

function databaseError(code: string): Error {
  return Object.assign(new pg.DatabaseError('no', 2, 'error'), { code });
}

const faults: [what: string, fault: Error, isUnknown: boolean][] = [
  ['the connection was lost', new Error('Connection terminated unexpectedly'), true],
  ['the server stalled', new Error('Query read timeout'), true],
  ['the server was stopped', databaseError('57P01'), true],
  ['it could not be serialized', databaseError('40001'), false],
  ['a deferred check refused it', databaseError('23503'), false],
];

for (const [what, fault, isUnknown] of faults) {
  const outcome = isUnknown ? 'unknown' : 'certain';
  test(`a commit that fails because ${what} is ${outcome}`, async () => {
    const { asked, session } = sessionFailing('commit', fault);
    const caught = await inTransaction(session, async () => 1).catch((thrown: unknown) => thrown);
    assert.deepEqual(asked, ['begin', 'commit']);
    if (!isUnknown) assert.equal(caught, fault);
    else {
      assert.ok(caught instanceof CommitUnknown);
      assert.equal(caught.cause, fault);
      assert.ok(isPassingFault(caught), 'a caller with a cursor retries');
    }
  });
}

test('failed work is rolled back with certainty, even if the connection is lost', async () => {
  const fault = new Error('Connection terminated unexpectedly');
  const { asked, session } = sessionFailing('rollback', fault);
  const work = inTransaction(session, () => Promise.reject(fault));
  await assert.rejects(work, (thrown) => thrown === fault);
  assert.deepEqual(asked, ['begin', 'rollback']);
});

test('an exhausted pool is a transient fault', () => {
  assert.ok(isPassingFault(new Error('timeout exceeded when trying to connect')));
  assert.ok(!isPassingFault(new Error('cannot read properties of undefined')));
});
