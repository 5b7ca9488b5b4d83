// Tests orders, fills and balances as JSON. A market order's price is 0: the client library that
// most bots use reads 0 as "no price" and uses the average instead.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ListedAsset, type ListedMarket, openOrder } from '../../../core/market-data/index.ts';
import type { TimeMs } from '../../../core/money/index.ts';
import { orderPlaced } from '../../../testing/market-data/order-placed.ts';
import { balanceFields } from '../../accounts/api/index.ts';
import { type Fill, fillJson } from './fill-json.ts';
import { type OrderFacts, type OrderStanding, orderJson } from './order-json.ts';

const CREATED_MS = Date.UTC(2024, 1, 29, 23, 59, 30, 5);
const UPDATED_MS = CREATED_MS + 60_000;

const BTC = { asset: 1, symbol: 'btc', scale: 8 } as ListedAsset;
const USDT = { asset: 2, symbol: 'usdt', scale: 6 } as ListedAsset;

// One lot is 0.0001 btc, one tick 0.01 usdt: one lot at one tick is one atom of usdt.
const MARKET = {
  market: 1,
  symbol: 'btc-usdt',
  base: BTC,
  quote: USDT,
  lot: { atoms: 10_000n, scale: 8 },
  tick: { mantissa: 1, scale: 2 },
  tickLotAtoms: 1n,
} as ListedMarket;

const ORDER: OrderFacts = openOrder(
  orderPlaced({
    side: 'sell',
    makerFeePpm: 1_000,
    takerFeePpm: 2_500,
    priceTicks: 6_000_050,
    sizeLots: 250,
  }),
  CREATED_MS as TimeMs,
);
const OPEN: OrderStanding = { status: 'new', updatedMs: UPDATED_MS };

// The parts between and after these are the same in every row of the table below.
const HEAD = '{"id":"00000000-0000-810a-8000-000000000000","side":"sell","symbol":"btc-usdt"';
const RATES = ',"fee_structure":{"maker":0.1,"taker":0.25}';
const TAIL =
  ',"created_by":7,"created_at":"2024-02-29T23:59:30.005Z"' +
  ',"updated_at":"2024-03-01T00:00:30.005Z"}';

const table: [
  title: string,
  order: Partial<OrderFacts>,
  now: Partial<OrderStanding>,
  json: string,
][] = [
  [
    'an unfilled limit order',
    {},
    {},
    `${HEAD},"type":"limit","size":0.025,"price":60000.5,"stop":null,"filled":0,"average":0` +
      `,"fee":0,"fee_coin":"usdt","status":"new","meta":{}${RATES}${TAIL}`,
  ],
  [
    'a stop with all optional client fields',
    {
      stopTicks: 5_900_000,
      postOnly: true,
      note: 'a "note"\n',
      clientOrderId: 'my"1',
      timeInForce: 'FOK',
      selfTrade: 'cancel_both',
    } as Partial<OrderFacts>,
    {},
    `${HEAD},"type":"limit","size":0.025,"price":60000.5,"stop":59000,"filled":0,"average":0` +
      ',"fee":0,"fee_coin":"usdt","status":"new"' +
      `,"meta":{"post_only":true,"note":"a \\"note\\"\\n"}${RATES}` +
      ',"client_order_id":"my\\"1","time_in_force":"FOK"' +
      `,"self_trade_prevention":"cancel_both"${TAIL}`,
  ],
  [
    'a market order: no price, the average of its fills, and the close reason',
    {
      type: 'market',
      timeInForce: 'IOC',
      remainingLots: 247,
      filledQuoteAtoms: 18_000_001n,
      feeAtoms: 45_001n,
    } as Partial<OrderFacts>,
    { status: 'canceled', closeReason: 'immediate_order_remainder' },
    `${HEAD},"type":"market","size":0.025,"price":0,"stop":null,"filled":0.0003` +
      ',"average":60000.0033333333,"fee":0.045001,"fee_coin":"usdt","status":"canceled","meta":{}' +
      `${RATES},"method":"market","close_reason":"immediate_order_remainder"${TAIL}`,
  ],
];

for (const [title, order, now, json] of table) {
  test(title, () => {
    assert.equal(orderJson(MARKET, { ...ORDER, ...order }, { ...OPEN, ...now }), json);
  });
}

test('a buyer pays the fee in base', () => {
  const bought = { ...ORDER, side: 'buy', feeAtoms: 25n } as OrderFacts;
  assert.match(orderJson(MARKET, bought, OPEN), /"fee":0\.00000025,"fee_coin":"btc"/);
});

test('a fill names its order, if it has one', () => {
  const fill = {
    side: 'sell',
    priceTicks: 6_000_050,
    sizeLots: 3,
    order: 10,
    feeAtoms: 45_001n,
    executedMs: CREATED_MS,
  } as Fill;
  assert.equal(
    fillJson(MARKET, fill),
    '{"side":"sell","symbol":"btc-usdt","size":0.0003,"price":60000.5' +
      ',"timestamp":"2024-02-29T23:59:30.005Z","order_id":"00000000-0000-810a-8000-000000000000"' +
      ',"fee":0.045001,"fee_coin":"usdt"}',
  );
  const direct = { ...fill, order: 0, side: 'buy' } as Fill;
  assert.match(fillJson(MARKET, direct), /"order_id":null,"fee":0\.00045001,"fee_coin":"btc"/);
});

test('a balance has the total and the available amount', () => {
  const accounts = [
    [BTC, { availableAtoms: 150_000_000n, heldAtoms: 50_000_000n }],
    [USDT, { availableAtoms: 1n, heldAtoms: 0n }],
  ] as const;
  assert.equal(
    balanceFields(accounts, CREATED_MS),
    '"btc_balance":2,"btc_available":1.5,"usdt_balance":0.000001,"usdt_available":0.000001' +
      ',"updated_at":"2024-02-29T23:59:30.005Z"',
  );
  assert.equal(balanceFields([], CREATED_MS), '"updated_at":"2024-02-29T23:59:30.005Z"');
});
