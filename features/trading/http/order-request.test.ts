// Tests orders as clients send them, with numbers or texts. Values that ticks and lots cannot
// express are rejected with the reason.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Atoms, KeyId, MarketId, UserId } from '../../../core/money/index.ts';
import type { OrderIn } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type OrderMarket, orderNumberOf, placeOrderOf } from './order-request.ts';

// One lot is 0.0001, one tick 0.5.
const MARKET: OrderMarket = {
  market: 3 as MarketId,
  symbol: 'btc-usdt',
  lot: { atoms: 10_000n as Atoms, scale: 8 },
  tick: { mantissa: 5, scale: 1 },
};
const CALLER = { user: 7 as UserId, key: 9 as KeyId };
const LIMIT: OrderIn = {
  symbol: 'btc-usdt',
  side: 'buy',
  type: 'limit',
  size: '0.0003',
  price: '60000.5',
};
const COMMAND = {
  kind: 'PlaceOrder',
  user: 7,
  key: 9,
  market: 3,
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  selfTrade: 'cancel_newest',
  postOnly: false,
  priceTicks: 120_001,
  sizeLots: 3,
  stopTicks: 0,
  trigger: 'stop',
  linkedOrder: 0,
  expiresMs: 0,
  clientOrderId: '',
  note: '',
};
const MARKET_TERMS = { type: 'market', timeInForce: 'IOC', priceTicks: 0 };

const understood: [title: string, asked: object, command: object][] = [
  ['texts', {}, {}],
  ['numbers', { size: 2, price: 60_000 }, { sizeLots: 20_000, priceTicks: 120_000 }],
  ['an exponent', { size: '3e-4', price: '6.00005E4' }, {}],
  ['a market order without a price', { type: 'market', price: undefined }, MARKET_TERMS],
  ['a market order with the price 0', { type: 'market', price: 0 }, MARKET_TERMS],
  ['a market order with an invalid price', { type: 'market', price: '0.3' }, MARKET_TERMS],
  [
    'a market order that is fill-or-kill',
    { type: 'market', time_in_force: 'FOK' },
    { ...MARKET_TERMS, timeInForce: 'FOK' },
  ],
  ['a stop as a string', { stop: '61000' }, { stopTicks: 122_000 }],
  ['a stop as a number', { stop: 61_000 }, { stopTicks: 122_000 }],
  [
    'a take-profit',
    { stop: 59_000, trigger: 'take_profit' },
    { stopTicks: 118_000, trigger: 'take_profit' },
  ],
  [
    'an expiry',
    { expires_at: '2030-01-31T12:00:00Z' },
    { expiresMs: Date.parse('2030-01-31T12:00:00.000Z') },
  ],
  [
    'a linked order',
    { stop: 61_000, linked_order_id: '00000000-0003-81e8-8000-000000000000' },
    { stopTicks: 122_000, linkedOrder: 1_000 },
  ],
  ['no stop, given as null', { stop: null }, {}],
  ['post only', { meta: { post_only: true } }, { postOnly: true }],
  ['a note', { meta: { note: 'grüße 🙂\n' } }, { note: 'grüße 🙂\n' }],
  ['a client order ID', { client_order_id: 'mine-1' }, { clientOrderId: 'mine-1' }],
  ['self-trade prevention', { self_trade_prevention: 'cancel_both' }, { selfTrade: 'cancel_both' }],
];

for (const [title, asked, command] of understood) {
  test(`accepted: ${title}`, () => {
    const body = { ...LIMIT, ...asked } as OrderIn;
    assert.deepEqual(placeOrderOf(body, MARKET, CALLER), { ...COMMAND, ...command });
  });
}

const refused: [title: string, asked: object, key: string, details: object][] = [
  ['a limit order without a price', { price: undefined }, 'price_missing', {}],
  ['a limit order with null for its price', { price: null }, 'price_missing', {}],
  ['a size that is not a number', { size: '1,5' }, 'value_not_a_number', { name: 'size' }],
  ['a price that is not a number', { price: 'NaN' }, 'value_not_a_number', { name: 'price' }],
  ['a stop that is not a number', { stop: '0x10' }, 'value_not_a_number', { name: 'stop' }],
  ['a negative size', { size: -1 }, 'size_invalid', { problem: 'must not be negative' }],
  [
    'a size between lots',
    { size: '0.00035' },
    'size_invalid',
    { problem: 'must be a multiple of 0.0001' },
  ],
  [
    'a price between ticks',
    { price: '60000.25' },
    'price_invalid',
    { problem: 'must be a multiple of 0.5' },
  ],
  [
    'a stop between ticks',
    { stop: '60000.1' },
    'stop_invalid',
    { problem: 'must be a multiple of 0.5' },
  ],
  ['a stop of 0', { stop: 0 }, 'stop_invalid', { problem: 'must be greater than zero' }],
  ['a size beyond every number', { size: '1e30' }, 'size_above_maximum', {}],
  ['a price beyond every number', { price: '1e30' }, 'price_above_maximum', {}],
  ['a linked order that is not an ID', { linked_order_id: '1' }, 'order_id_invalid', {}],
  [
    'a linked order of another exchange',
    { linked_order_id: '10644b7e-3c90-4ba9-bc3b-188f3a4e9cfd' },
    'linked_order_must_be_open',
    {},
  ],
  ['an expiry that is not a time', { expires_at: 'tomorrow or so' }, 'expiry_out_of_range', {}],
  ['a note with U+0000', { meta: { note: 'a\0b' } }, 'note_invalid', {}],
  ['a note with half a surrogate pair', { meta: { note: 'a\ud83d' } }, 'note_invalid', {}],
];

for (const [title, asked, key, details] of refused) {
  test(`rejected: ${title}`, () => {
    const body = { ...LIMIT, ...asked } as OrderIn;
    assert.deepEqual(placeOrderOf(body, MARKET, CALLER), new Refused(key, { ...details }));
  });
}

test('an id names an order, names no order, or is invalid', () => {
  assert.equal(orderNumberOf('00000000-0000-810a-8000-000000000000'), 10);
  assert.equal(orderNumberOf('00000000-0000-810A-8000-000000000000'), 10);
  const stranger = '10644b7e-3c90-4ba9-bc3b-188f3a4e9cfd';
  assert.deepEqual(orderNumberOf(stranger), new Refused('order_must_exist'));
  for (const text of ['', '10', `${stranger}0`, `${stranger}\n`, 'zzzzzzzz-0000-0000-0000-0']) {
    assert.deepEqual(orderNumberOf(text), new Refused('order_id_invalid'), text);
  }
});
