// Incident 6, Coinbase 2022: an order could name a source account of another asset. Here extra
// fields in an order have no effect: only market and side determine the reserved asset.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountsOf, applyFrame } from '../../../core/engine/index.ts';
import type { CommandFrame, Event, PlaceOrder } from '../../../core/messages/index.ts';
import type { Atoms, KeyId, MarketId, UserId } from '../../../core/money/index.ts';
import { type OrderMarket, placeOrderOf } from '../../../features/trading/http/order-request.ts';
import { type OrderIn, readBody } from '../../../protocol/index.ts';
import { Random } from '../../flows/index.ts';
import { openScripted } from './scripted-exchange.ts';

const GIVEN = ['asset eth: scale 8, cap 1,000,000', 'market eth-usdt', 'market btc-usdt'];
const EXTRA_FIELDS = [
  'asset',
  'account',
  'sourceAccount',
  'source_account_id',
  'sourceAsset',
  'from',
  'owner',
  'heldAsset',
  'heldAtoms',
  'feeAsset',
  'base',
  'quote',
  'available',
  'availableAtoms',
  'amountAtoms',
  'makerFeePpm',
  'takerFeePpm',
  'discountPpm',
  '__proto__',
  'constructor',
];
const EXTRA_VALUES = [0, 1, 2, 3, -1, -2, 2 ** 31, 'eth', '', null, true, 10n ** 18n, {}, []];

function withExtraFields(random: Random, command: PlaceOrder): PlaceOrder {
  const extras = Object.fromEntries(
    Array.from({ length: 5 }, () => [random.pick(EXTRA_FIELDS), random.pick(EXTRA_VALUES)]),
  );
  return { ...extras, ...command };
}

test('incident 6: extra fields change neither the reserved asset nor anything else', () => {
  const random = new Random(6);
  const people = ['alice', 'bob'];
  const plain = openScripted(GIVEN, people);
  const fuzzed = openScripted(GIVEN, people);
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

const WIRE_FIELDS = [
  'user',
  'user_id',
  'created_by',
  'key',
  'market',
  'asset',
  'account',
  'source_account',
  'sourceAccount',
  'currency',
  'fee_coin',
  'fee_structure',
  'heldAsset',
  'held_asset',
  'priceTicks',
  'sizeLots',
  'stopTicks',
  'makerFeePpm',
  'kind',
  'network_id',
  'constructor',
];
const WIRE_VALUES = ['0', '1', '-1', '2', '"eth"', '""', 'null', 'true', '{}', '[]', '1e3', '"2"'];
// One lot is 0.0001, one tick 0.01.
const LISTED: OrderMarket = {
  market: 3 as MarketId,
  symbol: 'btc-usdt',
  lot: { atoms: 10_000n as Atoms, scale: 8 },
  tick: { mantissa: 1, scale: 2 },
};

test('incident 6: extra fields in a request never reach the command', () => {
  const random = new Random(66);
  const caller = { user: 7 as UserId, key: 9 as KeyId };
  const order = '"symbol":"btc-usdt","side":"sell","type":"limit","size":0.5,"price":100';
  for (let round = 0; round < 500; round += 1) {
    const names = new Set(Array.from({ length: 4 }, () => random.pick(WIRE_FIELDS)));
    const extras = [...names].map((name) => `"${name}":${random.pick(WIRE_VALUES)}`);
    const meta = `"meta":{${extras.join(',')}}`;
    const body = readBody(`{${[...extras, order, meta].join(',')}}`);
    assert.ok(body.ok);
    assert.deepEqual(placeOrderOf(body.value as OrderIn, LISTED, caller), {
      kind: 'PlaceOrder',
      user: 7,
      key: 9,
      market: 3,
      side: 'sell',
      type: 'limit',
      postOnly: false,
      timeInForce: 'GTC',
      selfTrade: 'cancel_newest',
      stopTicks: 0,
      priceTicks: 10_000,
      sizeLots: 5_000,
      clientOrderId: '',
      note: '',
      trigger: 'stop',
      linkedOrder: 0,
      expiresMs: 0,
    });
  }
});

/** Assets by listing: btc 1, usdt 2, eth 3. */
function assertReserves(events: readonly Event[], market: string, side: string): void {
  const placed = events.find((event) => event.kind === 'OrderPlaced');
  assert.ok(placed !== undefined, 'the order must be accepted');
  const base = market === 'btc-usdt' ? 1 : 3;
  assert.equal(placed.heldAsset, side === 'buys' ? 2 : base);
}
