// Tests the emails for every path of a deposit or a withdrawal.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { UserId } from '../../../core/money/index.ts';
import type { TransferChange } from '../transfer-changes.ts';
import { mailOfChange } from './mail-of-change.ts';

const CHANGE: TransferChange = {
  id: 1,
  type: 'withdrawal',
  request: 7,
  kind: 'withdrawal',
  user: 5 as UserId,
  state: 'opening',
  changedAt: new Date('2026-11-15T20:00:00.000Z'),
  createdAt: new Date('2026-11-15T19:00:00.000Z'),
  currency: 'btc',
  amount: '0.25',
  fee: '0.0001',
  feeCurrency: 'btc',
  address: 'bc1q',
  network: 'btc',
  transactionId: 'tx',
  description: '',
};

interface Way {
  readonly of?: Partial<TransferChange>;
  readonly isByKey?: boolean;
  readonly isByOperator?: boolean;
  /** Separated by spaces. */
  readonly states: string;
  /** Email keys; equal keys are one email. */
  readonly mails: readonly string[];
}

/** Returns the keys of the emails that a request causes along its path. */
function keysOf({ isByKey = false, isByOperator = false, of = {}, states }: Way): string[] {
  const way = states.split(' ') as TransferChange['state'][];
  const keys = way.flatMap((state, at) => {
    const change = { ...CHANGE, ...of, state };
    return mailOfChange({ change, from: way[at - 1], isByKey, isByOperator })?.dedupeKey ?? [];
  });
  return [...new Set(keys)];
}

const DEPOSIT: Partial<TransferChange> = { type: 'deposit', kind: 'deposit' };
const TRANSFER: Partial<TransferChange> = { kind: 'transfer', network: null };

describe('emails along a path', () => {
  const held = 'withdrawal:7:held';
  const completed = 'withdrawal:7:completed';
  const ended = 'withdrawal:7:ended';
  const ways: [string, Way][] = [
    [
      'paid',
      {
        states: 'unconfirmed opening approved claimed completing completed',
        mails: [held, completed],
      },
    ],
    [
      'reviewed and paid',
      {
        states: 'opening in_review approved claimed approved claimed completing completed',
        mails: [held, completed],
      },
    ],
    ['not confirmed in time', { states: 'unconfirmed expired', mails: [] }],
    ['abandoned before the confirmation', { states: 'unconfirmed canceled', mails: [] }],
    ['rejected before the confirmation', { states: 'unconfirmed rejected', mails: [ended] }],
    ['cancelled', { states: 'opening approved canceling canceled', mails: [held, ended] }],
    ['rejected', { states: 'opening in_review rejecting rejected', mails: [held, ended] }],
    [
      'not approved in time',
      {
        states: 'opening in_review expiring expired',
        mails: [held, ended],
      },
    ],
    ['rejected after the confirmation', { states: 'unconfirmed opening refused', mails: [ended] }],
    ['rejected for a program', { states: 'opening refused', isByKey: true, mails: [] }],
    [
      'by email',
      {
        of: { kind: 'transfer', network: 'email' },
        states: 'unconfirmed executing completed',
        mails: [completed],
      },
    ],
    [
      'by email to an unknown address',
      {
        of: { kind: 'transfer', network: 'email' },
        states: 'unconfirmed awaiting_recipient expired',
        mails: [ended],
      },
    ],
    ['between sub-accounts', { of: TRANSFER, states: 'executing completed', mails: [] }],
    [
      'by an operator who notifies the user',
      { of: TRANSFER, isByOperator: true, states: 'executing completed', mails: [completed] },
    ],
    [
      'requested by an operator and rejected',
      { of: TRANSFER, isByOperator: true, states: 'executing refused', mails: [] },
    ],
    [
      'credited immediately',
      {
        of: DEPOSIT,
        states: 'crediting completed',
        mails: ['deposit:7:completed'],
      },
    ],
    [
      'seen, then credited',
      {
        of: DEPOSIT,
        states: 'pending crediting completed',
        mails: ['deposit:7:pending', 'deposit:7:completed'],
      },
    ],
    [
      'seen, then dropped',
      {
        of: DEPOSIT,
        states: 'pending canceled',
        mails: ['deposit:7:pending', 'deposit:7:ended'],
      },
    ],
    [
      'rejected, then credited',
      {
        of: DEPOSIT,
        states: 'crediting refused crediting completed',
        mails: ['deposit:7:completed'],
      },
    ],
  ];
  for (const [name, way] of ways) {
    test(name, () => assert.deepEqual(keysOf(way), way.mails));
  }
});

test('an email has the terms of the request', () => {
  const { canStillBeStopped, kind, values } = mailOfChange({
    change: { ...CHANGE, state: 'approved' },
    from: 'opening',
    isByKey: true,
  })!;
  assert.equal(kind, 'withdrawal_held');
  assert.equal(canStillBeStopped, true);
  assert.deepEqual(values, {
    time: '2026-11-15T20:00:00.000Z',
    amount: '0.25',
    currency: 'btc',
    fee: '0.0001',
    feeCurrency: 'btc',
    network: 'btc',
    address: 'bc1q',
    transactionId: '',
    freezeToken: '',
  });
});

test('a paid withdrawal names its transaction and cannot be stopped', () => {
  const change: TransferChange = { ...CHANGE, state: 'completed', network: null };
  const mail = mailOfChange({ change, from: 'completing', isByKey: false })!;
  assert.deepEqual(
    [mail.values.transactionId, mail.values.network, mail.canStillBeStopped],
    ['tx', '', false],
  );
});

test('the reason of an ended withdrawal is its final state', () => {
  const change: TransferChange = { ...CHANGE, state: 'rejected' };
  assert.equal(mailOfChange({ change, from: 'rejecting', isByKey: true })?.values.end, 'rejected');
});
