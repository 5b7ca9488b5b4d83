// Numbers on the money screens: markets, wallet, conversions, transfers and order filters.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Constants, DepositOrWithdrawal, Quote, TickerOfAll } from '../../../client/index.ts';
import { convertibleCoins, pairFor, termsOf, validityLeft } from './conversion.ts';
import { filterMarkets, marketRows, sortMarkets, sparkPaths, withLast } from './market-rows.ts';
import { filledRatio, liquidityOf, ordersQuery, readFilter, writeFilter } from './order-filter.ts';
import { canCancel, splitAddress, stageOf, stepsOf } from './transfers.ts';
import { isSmall, shareOf, totalOf, walletRows } from './wallet-rows.ts';

function coin(symbol: string, fullname: string, increment_unit: string, type = 'blockchain') {
  return { symbol, fullname, increment_unit, type, active: true };
}

function pair(code: string) {
  const [pair_base, pair_2] = code.split('-');
  const common = { active: true, is_public: true, status: 'full', increment_price: '0.01' };
  return { code, pair_base, pair_2, ...common };
}

const CONSTANTS = {
  coins: {
    btc: coin('btc', 'Bitcoin', '0.00000001'),
    usdt: coin('usdt', 'Tether', '0.000001'),
    eur: coin('eur', 'Euro', '0.01', 'fiat'),
    odd: coin('odd', 'Odd', '0.01'),
  },
  pairs: { 'btc-usdt': pair('btc-usdt'), 'usdt-eur': pair('usdt-eur') },
  quicktrade: [
    { symbol: 'btc-usdt', type: 'pro', active: true },
    { symbol: 'usdt-eur', type: 'pro', active: false },
  ],
} as unknown as Constants;

const TICKERS = {
  'btc-usdt': { open: '50000', last: '60000', high: '61000', low: '49000', volume: '2.5' },
  'usdt-eur': { open: '1', last: '0.9', high: '1', low: '0.9', volume: '10' },
} as unknown as Record<string, TickerOfAll>;

const PRICES = { btc: '60000', usdt: '1', eur: '1.1', odd: '-1' };

test('a market without trades has no price and no change', () => {
  const pairs = { 'btc-usdt': CONSTANTS.pairs['btc-usdt'] };
  const { coins } = CONSTANTS;
  const never = { open: '0', last: '0', high: '0', low: '0', volume: '0' };
  const tickers = { 'btc-usdt': never } as unknown as Record<string, TickerOfAll>;
  const [row] = marketRows({ coins, pairs }, { tickers, prices: PRICES, lasts: new Map() });
  const { high, last, low, ratio } = row;
  assert.deepEqual(
    { high, last, low, ratio },
    {
      high: undefined,
      last: undefined,
      low: undefined,
      ratio: undefined,
    },
  );
});

test('a market has its change and volume in the common currency; newer trades update it', () => {
  const lasts = new Map([['btc-usdt', '55000']]);
  const rows = marketRows(CONSTANTS, { tickers: TICKERS, prices: PRICES, lasts });
  const [btc] = rows;
  assert.equal(btc.last, '55000');
  assert.equal(btc.ratio, '0.100000');
  assert.equal(btc.volumeValue, '150000.0');
  const symbols = (by: 'volume' | 'change' | 'name') =>
    sortMarkets(rows, by).map(({ symbol }) => symbol);
  assert.deepEqual(symbols('volume'), ['btc-usdt', 'usdt-eur']);
  assert.deepEqual(symbols('name'), ['btc-usdt', 'usdt-eur']);
  const found = (text: string, favourites?: ReadonlySet<string>) =>
    filterMarkets(rows, { text, quote: '', favourites }).map(({ symbol }) => symbol);
  assert.deepEqual(found('BTC/us'), ['btc-usdt']);
  assert.deepEqual(found('tether'), ['usdt-eur']);
  assert.deepEqual(found('', new Set(['usdt-eur'])), ['usdt-eur']);
});

test('the 24-hour range always contains the last price', () => {
  const ticker = { high: '10', low: '5' };
  assert.deepEqual(withLast(ticker, '11'), { high: '11', low: '5' });
  assert.deepEqual(withLast(ticker, '4.5'), { high: '10', low: '4.5' });
  assert.deepEqual(withLast(ticker, undefined), ticker);
  assert.deepEqual(withLast({ high: '0', low: '0' }, '4'), { high: undefined, low: undefined });
});

test('a line needs two prices and stays inside its box', () => {
  assert.equal(sparkPaths(['1'], { width: 10, height: 10 }), undefined);
  const paths = sparkPaths(['1', '3', '2'], { width: 10, height: 10 });
  assert.equal(paths?.line, 'M0 8.5L5 1.5L10 5');
  assert.equal(paths?.area, 'M0 8.5L5 1.5L10 5L10 10L0 10Z');
});

test('wallet amounts, values and totals are exact, and assets without a price are listed', () => {
  const balance = {
    user_id: 1,
    updated_at: '',
    btc_balance: '0.30000001',
    btc_available: '0.1',
    eur_balance: '0.01',
    eur_available: '0.01',
    odd_balance: '5',
    odd_available: '5',
  };
  const rows = walletRows(CONSTANTS.coins, balance, PRICES);
  assert.deepEqual(
    rows.map((row) => [row.coin, row.held, row.value]),
    [
      ['btc', '0.20000001', '18000.00060000'],
      ['eur', '0.00', '0.011'],
      ['odd', '0', undefined],
      ['usdt', '0', '0'],
    ],
  );
  const total = totalOf(rows);
  assert.deepEqual(total, { value: '18000.01160000', unpriced: ['odd'] });
  const small = rows.filter((row) => isSmall(row, total.value));
  assert.deepEqual(
    small.map((row) => row.coin),
    ['eur', 'usdt'],
  );
  assert.equal(shareOf('25', '100'), 0.25);
  assert.equal(shareOf('1', '0'), 0);
});

test('a conversion uses an offered market in either direction', () => {
  assert.equal(pairFor(CONSTANTS, 'usdt', 'btc')?.symbol, 'btc-usdt');
  assert.equal(pairFor(CONSTANTS, 'btc', 'usdt')?.symbol, 'btc-usdt');
  assert.equal(pairFor(CONSTANTS, 'usdt', 'eur'), undefined);
  assert.deepEqual(convertibleCoins(CONSTANTS), ['btc', 'usdt']);
  assert.deepEqual(convertibleCoins(CONSTANTS, 'btc'), ['usdt']);
});

test("a quote's price is worse by at most one increment, and its fee is rounded up", () => {
  const quote = {
    spending_currency: 'usdt',
    receiving_currency: 'btc',
    spending_amount: '1000',
    receiving_amount: '0.0178',
  } as Quote;
  const terms = termsOf(quote, {
    pair: { symbol: 'btc-usdt', base: 'btc', quote: 'usdt' },
    rate: '0.2',
    coinIncrement: '0.00000001',
    priceIncrement: '0.01',
  });
  assert.deepEqual(terms, { price: '56179.78', fee: '0.00003560', net: '0.01776440' });
  assert.equal(validityLeft(1_000, 2_000, 1_500), 0.5);
  assert.equal(validityLeft(1_000, 2_000, 9_000), 0);
});

function transfer(flags: Partial<DepositOrWithdrawal>): DepositOrWithdrawal {
  const none = { status: false, rejected: false, dismissed: false };
  return { ...none, processing: false, waiting: false, type: 'withdrawal', ...flags } as never;
}

test('the stage of a withdrawal follows from its flags, or exactly from the stream', () => {
  const policy = [{ rule: 'under_review', result: 'review' as const }];
  assert.equal(stageOf(transfer({ waiting: true })), 'unconfirmed');
  assert.equal(stageOf(transfer({ waiting: true, policy })), 'reviewed');
  assert.equal(stageOf(transfer({})), 'held');
  assert.equal(stageOf(transfer({ processing: true })), 'paying');
  assert.equal(stageOf(transfer({ status: true })), 'completed');
  assert.equal(stageOf(transfer({}), 'in_review'), 'reviewed');
  assert.equal(canCancel('held'), true);
  assert.equal(canCancel('paying'), false);
  assert.deepEqual(stepsOf('reviewed'), [
    ['requested', 'done'],
    ['confirmed', 'done'],
    ['checked', 'now'],
    ['paid', 'next'],
  ]);
  assert.deepEqual(splitAddress('rAbc:501'), { address: 'rAbc', tag: '501' });
});

test('filters survive a round trip through the URL, and unknown values are ignored', () => {
  const filter = readFilter({ view: 'history', side: 'buy', page: 3, symbol: 'x', from: '1' });
  const common = { symbol: '', from: '', to: '', status: '' };
  assert.deepEqual(filter, { ...common, view: 'history', side: 'buy', page: 3 });
  assert.deepEqual(writeFilter(filter, {}), { view: 'history', side: 'buy' });
  assert.deepEqual(writeFilter(filter, { page: 4 }), { view: 'history', side: 'buy', page: 4 });
  assert.deepEqual(readFilter(writeFilter(filter, { page: 3 })), filter);
  const query = ordersQuery(readFilter({ view: 'open', from: '2026-11-01' }));
  assert.equal(query.open, true);
  assert.equal(query.start_date, '2026-11-01T00:00:00.000Z');
});

test("a fill's fee shows whether it was maker or taker", () => {
  const rates = { maker: '0.1', taker: '0.2' };
  const fill = { side: 'buy', size: '2', price: '100', fee: '0.002' } as const;
  assert.equal(liquidityOf(fill, rates), 'maker');
  assert.equal(liquidityOf({ ...fill, side: 'sell', fee: '0.4' }, rates), 'taker');
  assert.equal(liquidityOf(fill, { maker: '0.1', taker: '0.1' }), undefined);
  assert.equal(filledRatio({ filled: '1', size: '4' }), 0.25);
});
