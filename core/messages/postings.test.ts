// Each row is an event and its postings, written "asset amount from → to (cause)". A side is an
// owner, then a for available or h for held. Asset 1 is the base, asset 2 the quote.

import assert from 'node:assert/strict';
import test from 'node:test';
import { EVENT_LAYOUTS } from './event-layout.ts';
import type { Event } from './events.ts';
import { EXTERNAL_OWNER, FEES_OWNER, type Owner } from './owners.ts';
import { type Posting, type PostingSide, postingsOf } from './postings.ts';

function draw({ asset, from, to, amountAtoms, cause }: Posting): string {
  return `${asset} ${amountAtoms} ${side(from)} → ${side(to)} (${cause.kind} ${cause.id})`;
}

function side({ owner, part }: PostingSide): string {
  const names = new Map<Owner, string>([
    [EXTERNAL_OWNER, 'external'],
    [FEES_OWNER, 'fees'],
  ]);
  return `${names.get(owner) ?? owner}${part === 'held' ? 'h' : 'a'}`;
}

function drawn(event: object): string[] {
  return postingsOf(event as Event).map(draw);
}

const order = { command: 9, order: 7, user: 5, market: 1, heldAsset: 2 };

test('orders place and release holds', () => {
  const placed = { ...order, kind: 'OrderPlaced', heldAtoms: 100n };
  assert.deepEqual(drawn(placed), ['2 100 5a → 5h (order 7)']);
  const amended = { ...order, kind: 'OrderAmended' };
  assert.deepEqual(drawn({ ...amended, heldChangeAtoms: 30n }), ['2 30 5a → 5h (order 7)']);
  assert.deepEqual(drawn({ ...amended, heldChangeAtoms: -30n }), ['2 30 5h → 5a (order 7)']);
  assert.deepEqual(drawn({ ...amended, heldChangeAtoms: 0n }), []);
  const closed = { ...order, kind: 'OrderClosed' };
  assert.deepEqual(drawn({ ...closed, releasedAtoms: 70n }), ['2 70 5h → 5a (order 7)']);
  assert.deepEqual(drawn({ ...closed, releasedAtoms: 0n }), []);
});

const trade = {
  kind: 'TradeExecuted',
  command: 9,
  trade: 3,
  market: 1,
  base: 1,
  quote: 2,
  takerSide: 'buy',
  makerOrder: 4,
  takerOrder: 9,
  maker: 5,
  taker: 6,
  baseAtoms: 100n,
  quoteAtoms: 900n,
  makerFeeAtoms: 9n,
  takerFeeAtoms: 2n,
  releasedAtoms: 50n,
};

test('a trade swaps the holds, takes fees from the received amounts and releases the rest', () => {
  assert.deepEqual(drawn(trade), [
    '2 900 6h → 5a (trade 3)',
    '1 100 5h → 6a (trade 3)',
    '1 2 6a → feesa (trade 3)',
    '2 9 5a → feesa (trade 3)',
    '2 50 6h → 6a (trade 3)',
  ]);
  const sold = { ...trade, takerSide: 'sell', makerFeeAtoms: 1n, takerFeeAtoms: 8n };
  assert.deepEqual(drawn({ ...sold, releasedAtoms: 0n }), [
    '2 900 5h → 6a (trade 3)',
    '1 100 6h → 5a (trade 3)',
    '1 1 5a → feesa (trade 3)',
    '2 8 6a → feesa (trade 3)',
  ]);
});

test('a direct trade is paid from available', () => {
  const direct = { ...trade, makerOrder: 0, takerOrder: 0, releasedAtoms: 0n, makerFeeAtoms: 0n };
  assert.deepEqual(drawn(direct), [
    '2 900 6a → 5a (trade 3)',
    '1 100 5a → 6a (trade 3)',
    '1 2 6a → feesa (trade 3)',
  ]);
});

test('deposits, burns and transfers move money', () => {
  const payment = { command: 9, user: 5, asset: 1, amountAtoms: 10n };
  const deposit = { ...payment, kind: 'DepositCredited' };
  assert.deepEqual(drawn(deposit), ['1 10 externala → 5a (deposit 9)']);
  const mint = { ...payment, kind: 'AssetMinted' };
  assert.deepEqual(drawn(mint), ['1 10 externala → 5a (mint 9)']);
  const burn = { ...payment, kind: 'AssetBurned' };
  assert.deepEqual(drawn(burn), ['1 10 5a → externala (burn 9)']);
  const transfer = { ...payment, kind: 'AssetTransferred', sender: 5, receiver: 6 };
  assert.deepEqual(drawn(transfer), ['1 10 5a → 6a (transfer 9)']);
  const settled = { ...payment, kind: 'FeesSettled' };
  assert.deepEqual(drawn(settled), ['1 10 feesa → 5a (fee_settlement 9)']);
});

test('a withdrawal is put on hold, then paid out or released', () => {
  const withdrawal = { command: 9, withdrawal: 8, user: 5, asset: 1, amountAtoms: 10n };
  const withFee = { ...withdrawal, feeAsset: 2, feeAtoms: 3n };
  const [opened, completed, canceled] = ['Opened', 'Completed', 'Canceled'].map((step) =>
    drawn({ ...withFee, kind: `Withdrawal${step}` }),
  );
  assert.deepEqual(opened, ['1 10 5a → 5h (withdrawal 8)', '2 3 5a → 5h (withdrawal 8)']);
  assert.deepEqual(completed, [
    '1 10 5h → externala (withdrawal 8)',
    '2 3 5h → feesa (withdrawal 8)',
  ]);
  assert.deepEqual(canceled, ['1 10 5h → 5a (withdrawal 8)', '2 3 5h → 5a (withdrawal 8)']);
  const free = { ...withFee, kind: 'WithdrawalOpened', feeAtoms: 0n };
  assert.deepEqual(drawn(free), ['1 10 5a → 5h (withdrawal 8)']);
});

test('an event without an amount moves nothing', () => {
  for (const [kind, { fields }] of Object.entries(EVENT_LAYOUTS)) {
    const movesMoney = Object.entries(fields).some(
      ([name, wire]) => wire === 'atoms' && /^(amount|held|released|quote|base|fee)/.test(name),
    );
    if (!movesMoney) assert.deepEqual(drawn({ kind }), [], kind);
  }
});
