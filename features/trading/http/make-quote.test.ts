// Tests quotes from a fixed book: the amounts, rounded down, and the rejections.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Depth } from '../../../infra/live-feed/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { MarketEntry } from '../../listings/index.ts';
import {
  type QuotedBooks,
  type QuoteRequest,
  quotedAmounts,
  quotedMarket,
  quoteTrade,
} from './make-quote.ts';

// One lot is 0.0001 btc, one tick 0.5 usdt, and usdt has six decimals, so a lot at a tick is 50
// atoms.
const MARKET = {
  market: 3,
  symbol: 'btc-usdt',
  status: 'full',
  tickLotAtoms: 50n,
  base: { symbol: 'btc', scale: 8 },
  quote: { symbol: 'usdt', scale: 6 },
  lot: { atoms: 10_000n, scale: 8 },
  tick: { mantissa: 5, scale: 1 },
  minSizeLots: 2,
  maxSizeLots: 50_000,
} as MarketEntry;

// asks: 1 btc at 101, 2 btc at 102.5; bids: 0.5 btc at 100, 1 btc at 99.
const DEPTH: Depth = {
  frame: 1,
  asks: [
    ['101', '1'],
    ['102.5', '2'],
  ],
  bids: [
    ['100', '0.5'],
    ['99', '1'],
  ],
};

function catalogueOf(market: MarketEntry, active = true): Parameters<typeof quotedMarket>[0] {
  return {
    marketsBySymbol: new Map([[market.symbol, market]]),
    quickTrades: new Map([[market.symbol, { symbol: market.symbol, type: 'pro', active }]]),
  };
}

function quoteOf(request: QuoteRequest, books: QuotedBooks = { best: DEPTH, deep: undefined }) {
  const market = allowed(quotedMarket(catalogueOf(MARKET), request));
  const trade = allowed(quoteTrade(market, request, books));
  return { side: trade.side, ...quotedAmounts(trade) };
}

/** Throws a rejection to keep quote tests short. */
function allowed<Result>(result: Result): Exclude<Result, Refused> {
  if (result instanceof Refused) throw Object.assign(new Error('refused'), { key: result.key });
  return result as Exclude<Result, Refused>;
}

const SELL = { spending_currency: 'btc', receiving_currency: 'usdt' };
const BUY = { spending_currency: 'usdt', receiving_currency: 'btc' };

const quoted: [title: string, request: QuoteRequest, spending: string, receiving: string][] = [
  ['sell 0.5', { ...SELL, spending_amount: '0.5' }, '0.5', '50'],
  ['sell over two levels', { ...SELL, spending_amount: 1 }, '1', '99.5'],
  ['sell everything', { ...SELL, spending_amount: '1.5' }, '1.5', '149'],
  ['sell, rounded down to a lot', { ...SELL, spending_amount: '0.50009' }, '0.5', '50'],
  [
    'sell, finer than an atom',
    { ...SELL, spending_amount: '0.500000000000000000001' },
    '0.5',
    '50',
  ],
  ['sell, given with an exponent', { ...SELL, spending_amount: '5.0000000001e-1' }, '0.5', '50'],
  ['sell for 50', { ...SELL, receiving_amount: '50' }, '0.5', '50'],
  ['sell for at most 99.5', { ...SELL, receiving_amount: '99.509' }, '1', '99.5'],
  ['buy for 101', { ...BUY, spending_amount: '101' }, '101', '1'],
  ['buy over two levels', { ...BUY, spending_amount: '203.5' }, '203.5', '2'],
  ['buy for no more than requested', { ...BUY, spending_amount: '0.03' }, '0.0202', '0.0002'],
  ['buy 2', { ...BUY, receiving_amount: '2' }, '203.5', '2'],
  ['buy, rounded down to a lot', { ...BUY, receiving_amount: '2.00009' }, '203.5', '2'],
  [
    'if both are given, the spent amount counts',
    { ...BUY, spending_amount: '101', receiving_amount: '3' },
    '101',
    '1',
  ],
];

for (const [title, request, spending, receiving] of quoted) {
  test(`quoted: ${title}`, () => {
    const side = request.spending_currency === 'btc' ? 'sell' : 'buy';
    assert.deepEqual(quoteOf(request), { side, spending, receiving });
  });
}

const refused: [title: string, request: QuoteRequest, key: string][] = [
  ['no amount', SELL, 'quote_amount_missing'],
  ['an amount of 0', { ...SELL, spending_amount: '0' }, 'quote_too_small'],
  ['less than an atom', { ...SELL, spending_amount: '1e-30' }, 'quote_too_small'],
  ['less than a lot', { ...SELL, spending_amount: '0.00009' }, 'quote_too_small'],
  ['too little to buy a lot', { ...BUY, spending_amount: '0.0101' }, 'size_below_minimum'],
  ['nothing available for it', { ...BUY, spending_amount: '0.01' }, 'quote_too_small'],
  ['below the minimum size', { ...SELL, spending_amount: '0.0001' }, 'size_below_minimum'],
  ['above the maximum size', { ...SELL, spending_amount: '5.0001' }, 'size_above_maximum'],
  ['more than is bid for', { ...SELL, spending_amount: '1.5001' }, 'no_liquidity_within_limits'],
  ['for more than is bid', { ...SELL, receiving_amount: '149.1' }, 'no_liquidity_within_limits'],
  ['more than is offered', { ...BUY, receiving_amount: '3.0001' }, 'no_liquidity_within_limits'],
  ['for more than is offered', { ...BUY, spending_amount: '307' }, 'no_liquidity_within_limits'],
  ['beyond every number', { ...BUY, spending_amount: '1e30' }, 'no_liquidity_within_limits'],
  ['a negative amount', { ...SELL, spending_amount: '-1' }, 'quote_amount_must_be_positive'],
  ['not a number', { ...SELL, spending_amount: '1,5' }, 'value_not_a_number'],
  [
    'unknown currencies',
    { ...SELL, spending_currency: 'xyz', spending_amount: '1' },
    'quote_pair_not_offered',
  ],
];

for (const [title, request, key] of refused) {
  test(`rejected: ${title}`, () => {
    assert.throws(() => quoteOf(request), { key });
  });
}

test('an empty book cannot fill anything', () => {
  const request = { ...SELL, spending_amount: '1' };
  const nothing = { best: undefined, deep: undefined };
  assert.throws(() => quoteOf(request, nothing), { key: 'no_liquidity_within_limits' });
});

// Ten asks of 0.1 btc from 101 to 110 now; a second ago all were 50 lower, with 3 btc at 61 behind
// the ten best.
const tenAsks = (from: number): Depth['asks'] =>
  Array.from({ length: 10 }, (_, at) => [`${from + at}`, '0.1'] as const);
const JUST_NOW: Depth = { frame: 90, bids: [], asks: tenAsks(101) };
const A_SECOND_AGO: Depth = { frame: 40, bids: [], asks: [...tenAsks(51), ['61', '3']] };
const MOVED: QuotedBooks = { best: JUST_NOW, deep: A_SECOND_AGO };

const moved: [title: string, books: QuotedBooks, size: string, spending: string][] = [
  ['amounts within the ten best levels use their prices', MOVED, '0.2', '20.3'],
  ['all of the ten best levels still uses their prices', MOVED, '1', '105.5'],
  // 1 btc for 55.5 and 0.5 btc at 61, not 105.5 and 30.5.
  ['a larger amount uses only the deep book', MOVED, '1.5', '86'],
  ['without ten best levels the deep book is used', { ...MOVED, best: undefined }, '0.2', '10.3'],
  [
    'fewer than ten levels are complete and enough',
    { ...MOVED, best: { ...JUST_NOW, asks: [['101', '2']] } },
    '1.5',
    '151.5',
  ],
  [
    'a deep book newer than the best levels adds what they lack',
    { best: { ...JUST_NOW, asks: [['101', '1']] }, deep: { ...A_SECOND_AGO, frame: 91 } },
    '1.5',
    '86',
  ],
];

for (const [title, books, size, spending] of moved) {
  test(`two book versions: ${title}`, () => {
    const request = { ...BUY, receiving_amount: size };
    assert.deepEqual(quoteOf(request, books), { side: 'buy', spending, receiving: size });
  });
}

test('two book versions: old levels are not promised', () => {
  const books = { ...MOVED, best: { ...JUST_NOW, asks: [['101', '1']] as const } };
  const request = { ...BUY, receiving_amount: '1.5' };
  assert.throws(() => quoteOf(request, books), { key: 'no_liquidity_within_limits' });
});

test('two book versions: an amount to spend follows the same rule', () => {
  assert.equal(quoteOf({ ...BUY, spending_amount: '101' }, MOVED).receiving, '0.959');
  assert.equal(quoteOf({ ...BUY, spending_amount: '116.5' }, MOVED).receiving, '2');
});

test('inactive markets and markets closed for orders are not quoted', () => {
  assert.throws(() => allowed(quotedMarket(catalogueOf(MARKET, false), SELL)), {
    key: 'quote_pair_not_offered',
  });
  const paused = { ...MARKET, status: 'paused' } as MarketEntry;
  assert.throws(() => allowed(quotedMarket(catalogueOf(paused), SELL)), {
    key: 'market_does_not_accept_orders',
  });
});
