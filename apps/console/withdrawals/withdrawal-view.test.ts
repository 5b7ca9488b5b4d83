// Withdrawal queue: stages, policy result, approvals, and each operator's actions.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuditEntry } from '../../../client/index.ts';
import { plainName } from '../parts/plain-name.ts';
import {
  actsOn,
  addressHistory,
  approvalsOf,
  sortedQueue,
  stageOf,
  verdictOf,
  type Withdrawal,
} from './withdrawal-view.ts';

const OWNER = 17;
const ROW: Withdrawal = {
  id: 5,
  amount: '2',
  fee: '0.0005',
  fee_coin: 'btc',
  address: 'bc1q',
  transaction_id: 'uuid',
  status: false,
  dismissed: false,
  rejected: false,
  processing: false,
  waiting: true,
  onhold: false,
  description: null,
  type: 'withdrawal',
  currency: 'btc',
  network: 'btc',
  created_at: '2026-11-17T10:00:00.000Z',
  updated_at: '2026-11-17T10:00:00.000Z',
  user_id: OWNER,
  network_id: OWNER,
  User: {
    id: OWNER,
    email: 'a***@example.com',
    exchange_id: 1,
    Exchange: { id: 1, name: 'rialto', display_name: 'Rialto' },
  },
};

type Line = NonNullable<Withdrawal['policy']>[number];

function line(rule: string, result: Line['result'], reviews: number, facts = {}): Line {
  return { rule, result, reviews, facts, tell_user: 'under_review' };
}

function entry(operator: number | null, steps: unknown): AuditEntry {
  return {
    id: 1,
    subject: '',
    operator_id: operator,
    credential: 'session 1',
    session_id: 1,
    ip: '',
    description: '',
    act: 'withdrawal.review',
    object: 'withdrawal 5',
    user_id: OWNER,
    before: {},
    after: { steps },
    has_personal: false,
    approval_id: null,
    hash: '',
    timestamp: '',
    created_at: '',
  };
}

const SUPERVISOR = {
  id: 3,
  permissions: ['/admin/burn:put', '/admin/user/disable-withdrawal:post'],
  powers: ['approve.money'],
};

test('each set of flags maps to one stage', () => {
  const table: [string, Partial<Withdrawal>][] = [
    ['review', {}],
    ['approved', { waiting: false }],
    ['claimed', { waiting: false, processing: true }],
    ['completed', { waiting: false, status: true }],
    ['rejected', { rejected: true }],
    ['dismissed', { dismissed: true }],
  ];
  for (const [stage, change] of table) assert.equal(stageOf({ ...ROW, ...change }), stage);
});

const nameOf = (area: string, name: string) =>
  area === 'yesNo' ? ({ false: 'No', true: 'Yes' }[name] ?? name) : plainName(name);

test('the policy result has every rule, rejections first, with value and limit', () => {
  const policy = [
    line('level', 'pass', 0, { level: 2, min: 1 }),
    line('size_t2', 'review', 2, { value: '120000', from: '100000' }),
    line('min_max', 'refuse', 0, { amount: '2', min: '0.001', max: '1' }),
    line('credential_hold', 'pass', 0, { untilMs: 0 }),
    line('screening_hold', 'pass', 0),
    line('new_address_large', 'pass', 0, { isKnown: false, value: '120000', from: '100000' }),
  ];
  assert.deepEqual(
    verdictOf({ policy }, nameOf).map(({ limit, result, rule, value }) => [
      rule,
      result,
      value,
      limit,
    ]),
    [
      ['min_max', 'refuse', '2', 'Min 0.001, Max 1'],
      ['size_t2', 'review', '120,000', '100,000'],
      ['level', 'pass', '2', '1'],
      ['credential_hold', 'pass', '–', '–'],
      ['screening_hold', 'pass', '–', '–'],
      ['new_address_large', 'pass', 'Known No, Value 120,000', '100,000'],
    ],
  );
  assert.deepEqual(verdictOf({}, nameOf), []);
});

test('repeated approvals by one operator count once', () => {
  const row = { ...ROW, policy: [line('a', 'review', 1), line('b', 'review', 2)] };
  const steps = [entry(3, ['approve']), entry(3, ['approve']), entry(4, ['claim'])];
  assert.deepEqual(approvalsOf(row, [...steps, entry(null, ['approve']), entry(9, 'approve')]), {
    given: 1,
    needed: 2,
    by: [3],
  });
  assert.equal(approvalsOf(row, undefined), undefined);
});

describe('actions', () => {
  const none = { given: 0, needed: 2, by: [] };
  const table: [string, Partial<Withdrawal>, string][] = [
    ['in review', {}, 'approve reject dismiss hold'],
    ['approved', { waiting: false }, 'claim complete reject dismiss hold'],
    ['claimed', { waiting: false, processing: true }, 'complete release'],
    ['completed', { waiting: false, status: true }, ''],
    ['rejected', { rejected: true }, ''],
    ["the operator's own", { user_id: 3 }, 'reject dismiss'],
  ];
  for (const [what, change, expected] of table) {
    test(`on a withdrawal that is ${what}`, () => {
      assert.equal(actsOn({ ...ROW, ...change }, SUPERVISOR, none).join(' '), expected);
    });
  }

  test('an operator cannot approve twice', () => {
    const acts = actsOn(ROW, SUPERVISOR, { given: 1, needed: 2, by: [3] });
    assert.equal(acts.includes('approve'), false);
    assert.equal(actsOn(ROW, SUPERVISOR, { given: 1, needed: 2, by: [4] })[0], 'approve');
  });

  test('a payer cannot approve, and a reader has no actions', () => {
    const payer = { ...SUPERVISOR, powers: [], permissions: ['/admin/burn:put'] };
    assert.deepEqual(actsOn(ROW, payer, none), ['reject', 'dismiss']);
    assert.deepEqual(actsOn(ROW, { ...payer, permissions: [] }, none), []);
  });
});

test('the address shows earlier payments and other users', () => {
  const rows = [
    ROW,
    { ...ROW, id: 1, status: true },
    { ...ROW, id: 2, status: true, user_id: 18 },
    { ...ROW, id: 3, user_id: 18 },
    { ...ROW, id: 4, rejected: true },
  ];
  assert.deepEqual(addressHistory(ROW, rows), { paidBefore: 1, otherUsers: [18] });
});

test('the oldest is first, and among equals the one that needs more approvals', () => {
  const late = { ...ROW, id: 2, created_at: '2026-11-17T11:00:00.000Z' };
  const large = { ...ROW, id: 3, policy: [line('b', 'review', 2)] };
  assert.deepEqual(
    sortedQueue([late, ROW, large]).map(({ id }) => id),
    [3, 5, 2],
  );
});
