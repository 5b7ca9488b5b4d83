// Each withdrawal rule passes, fails or stays open until its input is typed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isAllowed,
  type VerdictRule,
  verdictOn,
  type WithdrawalDraft,
  type WithdrawalFacts,
} from './verdict.ts';

const NOW_MS = Date.parse('2026-11-17T12:00:00Z');
const DRAFT: WithdrawalDraft = { amount: '1', address: 'a1', currency: 'btc', network: 'btc' };
const entry = (address: string, active_at: string) => ({
  address,
  network: 'btc',
  label: address,
  currency: 'btc',
  created_at: '2026-11-16T12:00:00Z',
  active_at,
});
const BOOK = {
  user_id: 1,
  addresses: [entry('a1', '2026-11-17T12:00:00Z'), entry('a2', '2026-11-17T12:00:01Z')],
  book_only: true,
  book_only_until: null,
};
const FACTS: WithdrawalFacts = {
  hasFactor: true,
  heldUntil: null,
  book: BOOK,
  isPayable: true,
  min: '0.5',
  max: '1',
  nowMs: NOW_MS,
};

type Row = readonly [
  what: string,
  rule: VerdictRule,
  result: 'passes' | 'fails' | 'open',
  draft?: Partial<WithdrawalDraft>,
  facts?: Partial<WithdrawalFacts>,
];

const ROWS: readonly Row[] = [
  ['a second factor is set up', 'factor', 'passes'],
  ['no second factor', 'factor', 'fails', {}, { hasFactor: false }],
  ['no hold', 'hold', 'passes'],
  ['a hold until later', 'hold', 'fails', {}, { heldUntil: '2026-11-17T12:00:01Z' }],
  ['an expired hold', 'hold', 'passes', {}, { heldUntil: '2026-11-17T12:00:00Z' }],
  ['an address of the network', 'form', 'passes'],
  ['text that is not an address', 'form', 'fails', { address: 'x' }, { isPayable: false }],
  ['an unchecked address', 'form', 'open', {}, { isPayable: undefined }],
  ['no address to check', 'form', 'open', { address: '' }],
  ['an active address in the book', 'address', 'passes'],
  ['a new address', 'address', 'fails', { address: 'a2' }],
  ['another address', 'address', 'fails', { address: 'a3' }],
  ['another network', 'address', 'fails', { network: 'ln' }],
  ['another coin', 'address', 'fails', { currency: 'ltc' }],
  [
    'any address is allowed',
    'address',
    'passes',
    { address: 'a3' },
    { book: { ...BOOK, book_only: false } },
  ],
  ['no address yet', 'address', 'open', { address: '' }],
  ['the book is still loading', 'address', 'open', {}, { book: undefined }],
  ['the minimum amount', 'minimum', 'passes', { amount: '0.5' }],
  ['less than the minimum', 'minimum', 'fails', { amount: '0.49999999' }],
  ['no amount yet', 'minimum', 'open', { amount: '' }],
  ['the maximum amount', 'maximum', 'passes'],
  ['more than the maximum', 'maximum', 'fails', { amount: '1.00000001' }],
  ['the limit is still loading', 'maximum', 'open', {}, { max: undefined }],
  ['no amount for the limit', 'maximum', 'open', { amount: '0' }],
];

for (const [what, rule, result, draft = {}, facts = {}] of ROWS) {
  test(`${what}: rule ${rule} ${result}`, () => {
    const lines = verdictOn({ ...DRAFT, ...draft }, { ...FACTS, ...facts });
    assert.equal(lines.find((line) => line.rule === rule)?.result, result);
    assert.equal(
      isAllowed(lines),
      lines.every((line) => line.result === 'passes'),
    );
  });
}

test('a withdrawal is allowed only if every rule passes', () => {
  assert.equal(isAllowed(verdictOn(DRAFT, FACTS)), true);
  assert.equal(isAllowed(verdictOn(DRAFT, { ...FACTS, max: undefined })), false);
  assert.equal(isAllowed(verdictOn({ ...DRAFT, amount: '2' }, FACTS)), false);
});
