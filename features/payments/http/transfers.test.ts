// Tests responses about deposits and withdrawals: their flags, and that a committed change is never
// reported as failed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssetId, Atoms, KeyId, UserId } from '../../../core/money/index.ts';
import { requestUuid, requireOutcome } from '../../../platform/http/index.ts';
import { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { CLEAR, MASKED } from '../../pii-access/index.ts';
import type { RequestRow } from '../request-lists.ts';
import { requestAnswer, requestAnswerOfUser } from './transfer-json.ts';
import { readRequestAfterChange } from './transfer-requests.ts';

const ROW: RequestRow = {
  id: 3,
  type: 'withdrawal',
  kind: 'withdrawal',
  user: 7 as UserId,
  email: 'ann@example.com',
  asset: 1 as AssetId,
  currency: 'eur',
  scale: 2,
  amountAtoms: 150n as Atoms,
  feeCurrency: 'eur',
  feeScale: 2,
  feeAtoms: 0n as Atoms,
  address: 'an address',
  network: null,
  transactionId: 'tx',
  state: 'approved',
  isCompleted: false,
  rejected: false,
  dismissed: false,
  processing: false,
  waiting: false,
  description: '',
  refusal: null,
  policyLines: [],
  command: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  claimedBy: null,
  chain: undefined,
  bank: null,
};

const VIEW = {
  name: 'Rialto',
  vault: new Vault(new Map([[1, Buffer.alloc(32)]])),
  view: MASKED,
};

const FLAGS = ['dismissed', 'rejected', 'processing', 'waiting'] as const;

for (const flag of FLAGS) {
  test(`${flag} of the row is ${flag} in the response, and no other flag`, () => {
    const answer = requestAnswer({ ...ROW, [flag]: true });
    assert.deepEqual(
      FLAGS.filter((name) => answer[name]),
      [flag],
    );
  });
}

test("abuse 49: a masked view hides a recipient's email address, a clear one shows it", () => {
  const row = { ...ROW, network: 'email', address: 'bob@example.com' };
  assert.equal(requestAnswerOfUser(row, VIEW).address, 'b•••@e•••.com');
  assert.equal(requestAnswerOfUser(row, VIEW).User.email, 'a•••@e•••.com');
  const clear = requestAnswerOfUser(row, { ...VIEW, view: CLEAR });
  assert.deepEqual([clear.address, clear.User.email], ['bob@example.com', 'ann@example.com']);
  assert.equal(requestAnswer(row).address, 'bob@example.com');
});

test('nothing is on hold', () => assert.equal(requestAnswer(ROW).onhold, false));

const LINES: RequestRow['policyLines'] = [
  { rule: 'level', result: 'pass', reviews: 0, facts: { level: 1 }, tellUser: 'reason' },
  { rule: 'size_t1', result: 'review', reviews: 1, facts: { from: '1' }, tellUser: 'under_review' },
];

test('a user sees that a withdrawal is in review, and nothing else of its policy', () => {
  const reviewed: RequestRow = { ...ROW, state: 'in_review', policyLines: LINES };
  const { policy } = requestAnswer(reviewed);
  assert.deepEqual(policy, [{ rule: 'under_review', result: 'review' }]);
  assert.deepEqual(requestAnswer({ ...reviewed, state: 'approved' }).policy, []);
  assert.equal('policy' in requestAnswer({ ...ROW, type: 'deposit' }), false);
});

test('an operator sees every line of the policy', () => {
  const { policy } = requestAnswerOfUser({ ...ROW, policyLines: LINES }, VIEW);
  assert.deepEqual(policy, [
    { rule: 'level', result: 'pass', reviews: 0, facts: { level: 1 }, tell_user: 'reason' },
    {
      rule: 'size_t1',
      result: 'review',
      reviews: 1,
      facts: { from: '1' },
      tell_user: 'under_review',
    },
  ]);
});

test('a change that cannot be read back has an unknown outcome', async () => {
  const warned: unknown[] = [];
  const away = new Error('Connection terminated unexpectedly');
  const reader = {
    registry: { query: () => Promise.reject(away) },
    exchange: { projectionSchema: 'rialto' },
    log: { warn: (fields: { err: unknown }) => void warned.push(fields.err) },
  };
  const found = await readRequestAfterChange(reader, { type: 'deposit', id: 3 });
  assert.deepEqual(found, new Refused('outcome_unknown'));
  assert.deepEqual(warned, [away]);
});

test('a success is never reported before the engine has decided', async () => {
  const outcomes = { wait: () => Promise.resolve(undefined) };
  const refused = await requireOutcome({ outcomes } as never, { channel: 1, sequence: 1 });
  assert.ok(refused instanceof Refused && refused.key === 'outcome_unknown');
});

test('each signed request has its own transaction id, and an unsigned one has none', () => {
  const [key, other] = [{ key: 9 as KeyId }, { key: 8 as KeyId }];
  const id = requestUuid(key, 'ab');
  assert.match(id ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(requestUuid(key, 'ab'), id);
  assert.notEqual(requestUuid(key, 'ac'), id);
  assert.notEqual(requestUuid(other, 'ab'), id);
  assert.equal(requestUuid(key, ''), undefined);
});
