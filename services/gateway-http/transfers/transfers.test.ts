// What is told of a deposit or a withdrawal: how it stands, and never that something failed which
// has happened.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyId } from '../../../core/money/index.ts';
import type { RequestRow } from '../../../domain/transfers/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Dependencies } from '../dependencies.ts';
import { requestUuid } from './request-uuid.ts';
import { readRequestAfterChange } from './tell-request.ts';
import { requestAnswer } from './transfer-json.ts';

const ROW = {
  id: 3,
  user: 7,
  amountAtoms: 150n,
  scale: 2,
  feeAtoms: 0n,
  feeScale: 2,
  currency: 'eur',
  feeCurrency: 'eur',
  type: 'withdrawal',
  state: 'approved',
  isCompleted: false,
  rejected: false,
  dismissed: false,
  processing: false,
  waiting: false,
  onhold: false,
  refusal: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
} as unknown as RequestRow;

const FLAGS = ['dismissed', 'rejected', 'processing', 'waiting', 'onhold'] as const;

for (const flag of FLAGS) {
  test(`${flag} of the row is ${flag} of the answer, and no other flag`, () => {
    const answer = requestAnswer({ ...ROW, [flag]: true });
    assert.deepEqual(
      FLAGS.filter((name) => answer[name]),
      [flag],
    );
  });
}

test('what was done and can not be read back has an unknown outcome', async () => {
  const warned: unknown[] = [];
  const away = new Error('Connection terminated unexpectedly');
  const dependencies = {
    registry: { query: () => Promise.reject(away) },
    exchange: { projectionSchema: 'rialto' },
    log: { warn: (fields: { err: unknown }) => void warned.push(fields.err) },
  } as unknown as Dependencies;
  await assert.rejects(
    readRequestAfterChange(dependencies, { type: 'deposit', id: 3 }),
    (fault) => fault instanceof ApiRefusal && fault.key === 'outcome_unknown',
  );
  assert.deepEqual(warned, [away]);
});

test('one signed request names one transaction, another another, and none without one', () => {
  const [key, other] = [{ key: 9 as KeyId }, { key: 8 as KeyId }];
  const id = requestUuid(key, 'ab');
  assert.match(id ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(requestUuid(key, 'ab'), id);
  assert.notEqual(requestUuid(key, 'ac'), id);
  assert.notEqual(requestUuid(other, 'ab'), id);
  assert.equal(requestUuid(key, ''), undefined);
});
