// Incident 6, Coinbase 2022: an order could name a source account of another asset. Here an order
// may carry any field it likes: what it reserves follows from market and side alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountsOf, applyFrame } from '../../../core/engine/index.ts';
import type { CommandFrame, Event, PlaceOrder } from '../../../core/messages/index.ts';
import { Random } from '../../flows/index.ts';
import { openTold } from './told-exchange.ts';

const GIVEN = ['asset eth: scale 8, cap 1,000,000', 'market eth-usdt', 'market btc-usdt'];
const EXTRA_FIELDS = [
  ...['asset', 'account', 'sourceAccount', 'source_account_id', 'sourceAsset', 'from', 'owner'],
  ...['heldAsset', 'heldAtoms', 'feeAsset', 'base', 'quote', 'available', 'availableAtoms'],
  ...['amountAtoms', 'makerFeePpm', 'takerFeePpm', 'discountPpm', '__proto__', 'constructor'],
];
const EXTRA_VALUES = [0, 1, 2, 3, -1, -2, 2 ** 31, 'eth', '', null, true, 10n ** 18n, {}, []];

function withExtraFields(random: Random, command: PlaceOrder): PlaceOrder {
  const extras = Object.fromEntries(
    Array.from({ length: 5 }, () => [random.pick(EXTRA_FIELDS), random.pick(EXTRA_VALUES)]),
  );
  return { ...extras, ...command };
}

test('incident 6: extra fields never change what an order reserves, or anything else', () => {
  const random = new Random(6);
  const people = ['alice', 'bob'];
  const plain = openTold(GIVEN, people);
  const fuzzed = openTold(GIVEN, people);
  for (let round = 0; round < 300; round += 1) {
    const who = random.pick(people);
    const side = random.pick(['buys', 'sells']);
    const market = random.pick(['btc-usdt', 'eth-usdt']);
    const price = random.between(95, 105);
    const sentence = `${who} ${side} 0.${random.between(1, 9)} ${market} at ${price} cancel-oldest`;
    const frame = plain.frameOf(sentence);
    const order = frame.commands[0] as PlaceOrder;
    const fuzzedFrame: CommandFrame = { ...frame, commands: [withExtraFields(random, order)] };
    const events = applyFrame(plain.exchange, frame).events;
    assert.deepEqual(applyFrame(fuzzed.exchange, fuzzedFrame).events, events);
    assertReserves(events, market, side);
  }
  assert.deepEqual(accountsOf(fuzzed.exchange), accountsOf(plain.exchange));
});

/** Assets by listing: btc 1, usdt 2, eth 3. */
function assertReserves(events: readonly Event[], market: string, side: string): void {
  const placed = events.find((event) => event.kind === 'OrderPlaced');
  assert.ok(placed !== undefined, 'the order must be accepted');
  const base = market === 'btc-usdt' ? 1 : 3;
  assert.equal(placed.heldAsset, side === 'buys' ? 2 : base);
}
