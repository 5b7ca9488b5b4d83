// Tests the response to a pending action: a session gets 202, and a key never gets a 2xx.

import assert from 'node:assert/strict';
import test from 'node:test';
import { JsonAnswer } from '../../../platform/http/index.ts';
import { errorAnswer } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { waitingAnswer } from './answer-act.ts';
import type { OperatorCall } from './operator-call.ts';

const callBy = (kind: 'key' | 'session') => {
  const caller = { kind, key: kind === 'key' ? 12 : 0, session: kind === 'key' ? 0 : 34 };
  return { caller } as unknown as OperatorCall;
};

test('a session gets 202 with the request', () => {
  const answer = waitingAnswer(callBy('session'), 7);
  assert.ok(answer instanceof JsonAnswer);
  assert.equal(answer.status, 202);
  const body = { message: 'Pending approval', approval_id: 7, status: false, waiting: true };
  assert.deepEqual(answer.body, body);
});

test('a key gets 409 with the request', () => {
  const refused = waitingAnswer(callBy('key'), 7);
  assert.ok(refused instanceof Refused);
  assert.deepEqual(errorAnswer(refused.key, 'en', refused.details), {
    status: 409,
    body: {
      message: 'Pending approval 7. Nothing has changed yet',
      lang: 'en',
      code: 2610,
      approval_id: 7,
    },
  });
});
