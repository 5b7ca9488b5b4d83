// Book, estimate and form: exact to the last digit, and equal to the engine's hold.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../testing/flows/random.ts';
import { bookRows, groupLevels, groupSteps, type Level, spreadOf } from './book-view.ts';
import { estimateFill, sizeForValue } from './fill-estimate.ts';
import { isAccepted, type MarketStatus } from './market-status.ts';
import {
  type Circumstances,
  type Draft,
  EMPTY_DRAFT,
  linkedStopOf,
  orderOf,
  readDraft,
  shareOfAvailable,
  usedPercent,
  withKind,
  withTrigger,
} from './order-draft.ts';

const ASKS: readonly Level[] = [
  ['100.5', '1'],
  ['101.0', '2.5'],
  ['101.5', '0.25'],
  ['103.0', '4'],
];
const BIDS: readonly Level[] = [
  ['99.5', '2'],
  ['99.0', '1.5'],
  ['97.5', '3'],
];
const MARKET = {
  code: 'btc-usdt',
  pair_base: 'btc',
  pair_2: 'usdt',
  min_size: '0.01',
  max_size: '1000',
  min_price: '0.5',
  max_price: '100000',
  increment_size: '0.01',
  increment_price: '0.5',
};
const ABOUT: Circumstances = {
  market: MARKET,
  asks: ASKS,
  bids: BIDS,
  lastPrice: '100.0',
  available: { base: '3.333', quote: '1000' },
  fees: { maker: '0.1', taker: '0.2' },
  scales: { base: 8, quote: 6 },
};

const SENT = { symbol: 'btc-usdt', clientOrderId: 'c1' };

function draft(change: Partial<Draft>): Draft {
  return { ...EMPTY_DRAFT, ...change };
}

test('levels are grouped away from the middle, with exact totals', () => {
  assert.deepEqual(groupLevels(ASKS, { step: '1', side: 'sell', count: 9 }), [
    ['101', '3.5'],
    ['102', '0.25'],
    ['103', '4'],
  ]);
  assert.deepEqual(groupLevels(BIDS, { step: '1', side: 'buy', count: 9 }), [
    ['99', '3.5'],
    ['97', '3'],
  ]);
  assert.deepEqual(groupLevels(ASKS, { step: '0.5', side: 'sell', count: 1 }), [['100.5', '1']]);
});

test('rows have totals, shares of the largest total, and labels for own orders', () => {
  const { asks, bids } = bookRows(
    { asks: ASKS, bids: BIDS },
    { step: '1', count: 2, ownBids: ['99.5'], ownAsks: ['101.5'] },
  );
  assert.deepEqual(asks, [
    { price: '101', size: '3.5', total: '3.5', share: 0.5384, isOwn: false },
    { price: '102', size: '0.25', total: '3.75', share: 0.5769, isOwn: true },
  ]);
  assert.deepEqual(
    bids.map(({ isOwn, share, total }) => [total, share, isOwn]),
    [
      ['3.5', 0.5384, true],
      ['6.5', 1, false],
    ],
  );
});

test('increments for grouping are the tick times 1, 2, 5, 10 and so on', () => {
  assert.deepEqual(groupSteps('0.01').slice(0, 7), [
    '0.01',
    '0.02',
    '0.05',
    '0.1',
    '0.2',
    '0.5',
    '1',
  ]);
  assert.deepEqual(groupSteps('0.5').slice(0, 4), ['0.5', '1', '2.5', '5']);
});

test('the spread is an amount and a ratio of the middle price', () => {
  assert.deepEqual(spreadOf('99.5', '100.5'), { amount: '1.0', ratio: '0.010000' });
  assert.equal(spreadOf(undefined, '1'), undefined);
});

test('an estimate walks the book to the size or the limit', () => {
  const whole = estimateFill(ASKS, { side: 'buy', size: '3' });
  assert.deepEqual(whole, {
    size: '3',
    value: '302.5',
    average: '100.833',
    worst: '101.0',
    slippage: '0.003313',
    isComplete: true,
  });
  const limited = estimateFill(ASKS, { side: 'buy', size: '3', price: '100.5' });
  assert.deepEqual([limited.size, limited.isComplete, limited.slippage], ['1', false, '0.000000']);
  const none = estimateFill(ASKS, { side: 'buy', size: '1', price: '100' });
  assert.deepEqual([none.size, none.average], ['0', undefined]);
  const sell = estimateFill(BIDS, { side: 'sell', size: '99' });
  assert.deepEqual([sell.size, sell.worst, sell.isComplete], ['6.5', '97.5', false]);
});

test('a quote amount buys whole lots', () => {
  assert.equal(sizeForValue(ASKS, { value: '302.5', lot: '0.01' }), '3.00');
  assert.equal(sizeForValue(ASKS, { value: '302.4', lot: '0.01' }), '2.99');
  assert.equal(sizeForValue(ASKS, { value: '999999', lot: '0.01' }), '7.75');
});

test('a limit order can be entered by size or by total', () => {
  const bySize = readDraft(draft({ price: '90.5', amount: '1.25' }), ABOUT);
  assert.deepEqual([bySize.size, bySize.total, bySize.problem], ['1.25', '113.125', undefined]);
  const byTotal = readDraft(draft({ price: '90.5', amount: '100', amountOf: 'total' }), ABOUT);
  assert.deepEqual([byTotal.size, byTotal.total], ['1.10', '99.55']);
});

const PROBLEMS: readonly [change: Partial<Draft>, field: string, word: string][] = [
  [{ amount: '1' }, 'price', 'trade.needsPrice'],
  [{ price: '90.3', amount: '1' }, 'price', 'trade.stepOf'],
  [{ price: '100000.5', amount: '1' }, 'price', 'trade.atMost'],
  [{ price: '90.5' }, 'amount', 'trade.needsAmount'],
  [{ price: '90.5', amount: '0.015' }, 'amount', 'trade.stepOf'],
  [{ price: '90.5', amount: '0' }, 'amount', 'trade.atLeast'],
  [{ price: '90.5', amount: '12' }, 'amount', 'trade.onlyAvailable'],
  [{ price: '90.5', amount: '3.34', side: 'sell' }, 'amount', 'trade.onlyAvailable'],
  [{ kind: 'stop', stop: '100.0', amount: '1' }, 'stop', 'trade.stopAbove'],
  [{ kind: 'stop', stop: '100.0', amount: '1', side: 'sell' }, 'stop', 'trade.stopBelow'],
  [{ kind: 'take-profit', stop: '100.0', amount: '1' }, 'stop', 'trade.takeProfitBelow'],
  [{ price: '90.5', amount: '1', linkedStop: '90' }, 'linkedStop', 'trade.stopAbove'],
  [
    { kind: 'take-profit', stop: '100.0', amount: '1', side: 'sell' },
    'stop',
    'trade.takeProfitAbove',
  ],
];

test('every problem names its field', () => {
  for (const [change, field, word] of PROBLEMS) {
    const { problem } = readDraft(draft(change), ABOUT);
    assert.deepEqual([problem?.field, problem?.word], [field, word], JSON.stringify(change));
  }
});

test('fees are in the received asset, rounded up, with the taker rate for immediate fills', () => {
  const resting = readDraft(draft({ price: '90.5', amount: '1' }), ABOUT);
  assert.deepEqual(resting.fee, { amount: '0.00100000', coin: 'btc' });
  const taking = readDraft(draft({ kind: 'market', amount: '3' }), ABOUT);
  assert.deepEqual([taking.total, taking.fee], ['302.5', { amount: '0.00600000', coin: 'btc' }]);
  const both = readDraft(draft({ price: '100.5', amount: '3' }), ABOUT);
  assert.deepEqual(both.fee, { amount: '0.00400000', coin: 'btc' });
  const selling = readDraft(draft({ side: 'sell', kind: 'market', amount: '2.01' }), ABOUT);
  assert.deepEqual(selling.fee, { amount: '0.399980', coin: 'usdt' });
  // 0.00001 btc, where an atom is 0.0001.
  const coarse = { ...ABOUT, scales: { base: 4, quote: 6 } };
  const tiny = readDraft(draft({ price: '90.5', amount: '0.01' }), coarse);
  assert.deepEqual(tiny.fee, { amount: '0.0001', coin: 'btc' });
});

test('a share of the available balance fits and can be computed back', () => {
  const sell = shareOfAvailable(draft({ side: 'sell', price: '110' }), 50, ABOUT);
  assert.deepEqual([sell.amount, sell.amountOf], ['1.66', 'size']);
  const buy = shareOfAvailable(draft({ price: '90.5' }), 100, ABOUT);
  const reading = readDraft(buy, ABOUT);
  assert.deepEqual([reading.size, reading.total, reading.problem], ['11.04', '999.12', undefined]);
  assert.equal(usedPercent(buy, reading, ABOUT), 99);
});

test('the order to send has the texts from the form', () => {
  const to = { symbol: 'btc-usdt', clientOrderId: 'id-1' };
  const limit = draft({ price: '90.5', amount: '1.25', isPostOnly: true });
  assert.deepEqual(orderOf(limit, readDraft(limit, ABOUT), to), {
    symbol: 'btc-usdt',
    side: 'buy',
    type: 'limit',
    size: '1.25',
    price: '90.5',
    meta: { post_only: true },
    time_in_force: 'GTC',
    self_trade_prevention: 'cancel_newest',
    client_order_id: 'id-1',
  });
  const stop = draft({ kind: 'stop', stop: '120', amount: '1', side: 'buy' });
  const sent = orderOf(stop, readDraft(stop, ABOUT), to);
  assert.deepEqual(
    [sent.type, sent.stop, sent.price, sent.time_in_force],
    ['market', '120', undefined, 'IOC'],
  );
});

test('a stop linked to a limit order has its side and size', () => {
  const to = { symbol: 'btc-usdt', clientOrderId: 'web-2' };
  const typed = draft({ side: 'sell', price: '110', amount: '1', linkedStop: '90' });
  const stop = linkedStopOf(typed, readDraft(typed, ABOUT), to);
  assert.deepEqual([stop?.side, stop?.type, stop?.size, stop?.stop], ['sell', 'market', '1', '90']);
  for (const other of [withKind(typed, 'stop-limit'), { ...typed, linkedStop: '' }]) {
    assert.equal(linkedStopOf(other, readDraft(other, ABOUT), to), undefined);
  }
});

test('only an order that can rest or wait is sent with its expiry', () => {
  const typed = draft({ price: '100', amount: '1', expiresAt: '2030-01-31T12:00' });
  const sent = (one: Draft) => orderOf(one, readDraft(one, ABOUT), SENT).expires_at;
  assert.equal(sent(typed), new Date('2030-01-31T12:00').toISOString());
  assert.equal(sent({ ...typed, timeInForce: 'IOC' }), undefined);
  assert.equal(sent({ ...typed, expiresAt: '' }), undefined);
  assert.notEqual(sent({ ...withKind(typed, 'stop'), stop: '120' }), undefined);
});

test('a take-profit is sent with its trigger', () => {
  const to = { symbol: 'btc-usdt', clientOrderId: 'web-1' };
  const typed = draft({ kind: 'take-profit-limit', stop: '90', price: '91', amount: '1' });
  const sent = orderOf(typed, readDraft(typed, ABOUT), to);
  assert.deepEqual([sent.type, sent.stop, sent.trigger], ['limit', '90', 'take_profit']);
  const stop = withKind(typed, withTrigger('limit', 'take-profit'));
  assert.equal(orderOf(stop, readDraft(stop, ABOUT), to).trigger, undefined);
  assert.equal(withTrigger('stop', 'take-profit'), 'take-profit');
  assert.equal(withTrigger('take-profit-limit', 'stop'), 'stop-limit');
});

test('a limit order never takes the time in force of a market order', () => {
  const typed = draft({ price: '100', amount: '1', timeInForce: 'GTC' });
  const market = withKind(typed, 'market');
  const sent = (one: Draft) => orderOf(one, readDraft(one, ABOUT), SENT).time_in_force;
  assert.equal(sent(market), 'IOC');
  assert.equal(sent(withKind(market, 'limit')), 'GTC');
  assert.equal(sent(withKind({ ...market, timeInForce: 'FOK' }, 'limit')), 'GTC');
  assert.equal(sent(withKind({ ...market, timeInForce: 'FOK' }, 'stop')), 'FOK');
  assert.equal(sent(withKind({ ...typed, timeInForce: 'IOC' }, 'stop-limit')), 'IOC');
});

test('each market status accepts the orders that the engine accepts', () => {
  const limit = draft({ kind: 'limit' });
  const postOnly = draft({ kind: 'limit', isPostOnly: true });
  const ioc = draft({ kind: 'limit', timeInForce: 'IOC' });
  const rows: readonly (readonly [MarketStatus, readonly boolean[]])[] = [
    ['full', [true, true, true, true, true]],
    ['post-only', [false, true, false, false, false]],
    ['auction', [true, true, false, false, true]],
    ['cancel-only', [false, false, false, false, false]],
    ['paused', [false, false, false, false, false]],
  ];
  const drafts = [limit, postOnly, ioc, draft({ kind: 'market' }), draft({ kind: 'stop' })];
  for (const [status, expected] of rows) {
    assert.deepEqual(
      drafts.map((one) => isAccepted(one, status)),
      expected,
      status,
    );
  }
});

test('a stop-market order pays the taker rate', () => {
  const stop = draft({ kind: 'stop', stop: '90', amount: '1', side: 'sell' });
  assert.equal(readDraft(stop, ABOUT).fee?.amount, '0.180000');
});

// See docs/trading-rules.md, section 3: a buy holds tickLotAtoms × price × sizeLots of quote.
test("the total in the form equals the engine's hold for 10,000 random limit orders", () => {
  const random = new Random(3);
  for (let round = 0; round < 10_000; round += 1) {
    const [baseScale, quoteScale, tickScale] = [8, 6, random.below(3)];
    const lotScale = random.below(quoteScale - tickScale + 1);
    const [ticks, lots] = [random.between(1, 9_999_999), random.between(1, 9_999_999)];
    const lotAtoms = 10n ** BigInt(baseScale - lotScale);
    const tickLotAtoms =
      (lotAtoms * 10n ** BigInt(quoteScale)) / 10n ** BigInt(baseScale + tickScale);
    const hold = tickLotAtoms * BigInt(ticks) * BigInt(lots);
    const text = (units: number, scale: number) => {
      const digits = String(units).padStart(scale + 1, '0');
      return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
    };
    const [price, amount] = [text(ticks, tickScale), text(lots, lotScale)];
    const { total } = readDraft(draft({ price, amount }), {
      ...ABOUT,
      available: undefined,
      asks: [],
    });
    const [whole, fraction = ''] = (total ?? '').split('.');
    assert.equal(BigInt(whole + fraction.padEnd(quoteScale, '0')), hold, `${price} × ${amount}`);
  }
});
