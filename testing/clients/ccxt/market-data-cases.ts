// Public market data after known trades: books, tickers, trades and candles. Only these cases trade
// in USDT/EUR, so every number of that market is known.

import assert from 'node:assert/strict';
import { assertFields, type ClientCase, eventually } from '../client-case.ts';
import type { ClientStage } from '../client-stage.ts';

const SYMBOL = 'USDT/EUR';
const OTHER_SYMBOLS = ['BTC/EUR', 'BTC/USDT'];
const BIDS = [[0.9, 30]];
const ASKS = [
  [0.93, 150],
  [0.95, 10],
];

/** Trades 100 at 0.92, then 50 at 0.93, and leaves the book above. */
async function trade(stage: ClientStage): Promise<void> {
  const [maker, taker] = await stage.traders(2, { usdt: '1000', eur: '1000' });
  await maker.createLimitSellOrder(SYMBOL, 100, 0.92);
  await maker.createLimitSellOrder(SYMBOL, 200, 0.93);
  await maker.createLimitSellOrder(SYMBOL, 10, 0.95);
  await taker.createMarketBuyOrder(SYMBOL, 100);
  await taker.createLimitBuyOrder(SYMBOL, 50, 0.93);
  await maker.createLimitBuyOrder(SYMBOL, 30, 0.9);
}

export const marketDataCases: readonly ClientCase[] = [
  {
    title: 'before the first trade a market has an empty book, no trades and no candles',
    covers: ['fetchOrderBook', 'fetchTrades', 'fetchTicker', 'fetchOHLCV'],
    async run(stage) {
      const client = stage.client();
      const book = await client.fetchOrderBook(SYMBOL);
      assertFields(book, { symbol: SYMBOL, bids: [], asks: [] });
      assert.deepEqual(await client.fetchTrades(SYMBOL), []);
      assert.deepEqual(await client.fetchOHLCV(SYMBOL, '1h'), []);
      const ticker = await client.fetchTicker(SYMBOL);
      assertFields(ticker, { last: undefined, high: undefined, baseVolume: '0' });
    },
  },
  {
    title: 'fetchOrderBook returns the levels of both sides, best first',
    covers: ['fetchOrderBook', 'GET public orderbook'],
    async run(stage) {
      await trade(stage);
      const client = stage.client();
      await eventually(async () => {
        const book = await client.fetchOrderBook(SYMBOL);
        assertFields(book, { symbol: SYMBOL, bids: BIDS, asks: ASKS, nonce: undefined });
        assert.ok(Math.abs(Date.now() - Number(book.timestamp)) < 600_000);
      });
    },
  },
  {
    title: 'fetchL2OrderBook returns the same',
    covers: ['fetchL2OrderBook'],
    async run(stage) {
      const client = stage.client();
      // It adds up sizes itself, which requires numbers.
      client.number = Number;
      const book = await client.fetchL2OrderBook(SYMBOL);
      assert.deepEqual(book.bids, BIDS);
      assert.deepEqual(book.asks, ASKS);
    },
  },
  {
    title: 'fetchOrderBooks returns the books of all markets',
    covers: ['fetchOrderBooks', 'GET public orderbooks'],
    async run(stage) {
      const books = (await stage.client().fetchOrderBooks()) as Record<string, object>;
      assert.deepEqual(Object.keys(books).sort(), [...OTHER_SYMBOLS, SYMBOL]);
      assertFields(books[SYMBOL], { symbol: SYMBOL, bids: BIDS, asks: ASKS });
    },
  },
  {
    title: 'fetchTicker returns the last 24 hours',
    covers: ['fetchTicker', 'GET public ticker'],
    async run(stage) {
      const client = stage.client();
      await eventually(async () => {
        assertFields(await client.fetchTicker(SYMBOL), {
          symbol: SYMBOL,
          open: '0.92',
          high: '0.93',
          low: '0.92',
          close: '0.93',
          last: '0.93',
          baseVolume: '150',
          change: '0.01',
        });
      });
    },
  },
  {
    title: 'fetchTickers returns all markets, or the requested ones',
    covers: ['fetchTickers', 'GET public tickers'],
    async run(stage) {
      const client = stage.client();
      const all = await client.fetchTickers();
      assert.deepEqual(Object.keys(all).sort(), [...OTHER_SYMBOLS, SYMBOL]);
      assertFields(all[SYMBOL]!, { open: '0.92', last: '0.93', baseVolume: '150' });
      assert.deepEqual(Object.keys(await client.fetchTickers(['BTC/USDT'])), ['BTC/USDT']);
    },
  },
  {
    title: 'fetchTrades returns the trades with the side of the taker',
    covers: ['fetchTrades', 'GET public trades'],
    async run(stage) {
      const client = stage.client();
      const trades = await client.fetchTrades(SYMBOL);
      assert.equal(trades.length, 2);
      assertFields(trades[0], { symbol: SYMBOL, side: 'buy', price: '0.92', amount: '100' });
      assertFields(trades[1], { symbol: SYMBOL, side: 'buy', price: '0.93', amount: '50' });
      assert.ok(Number(trades[0].timestamp) <= Number(trades[1].timestamp));
      const [newest, ...more] = await client.fetchTrades(SYMBOL, undefined, 1);
      assertFields(newest, { price: '0.93', amount: '50', cost: '46.5' });
      assert.deepEqual(more, []);
    },
  },
  ...['1m', '5m', '15m', '1h', '4h', '1d', '1w'].map((timeframe) => ({
    title: `fetchOHLCV returns ${timeframe} candles that start at the right times`,
    covers: ['fetchOHLCV', 'GET public chart'],
    async run(stage: ClientStage) {
      const client = stage.client();
      await eventually(async () => {
        const candles = await client.fetchOHLCV(SYMBOL, timeframe);
        assertCandles(candles as unknown as Candle[], client.parseTimeframe(timeframe) * 1_000);
      });
    },
  })),
  {
    title: 'fetchOHLCV returns nothing from before the first trade',
    covers: ['fetchOHLCV'],
    async run(stage) {
      const [since, until] = [Date.now() - 172_800_000, Date.now() - 86_400_000];
      const candles = await stage.client().fetchOHLCV(SYMBOL, '1h', since, undefined, { until });
      assert.deepEqual(candles, []);
    },
  },
];

type Candle = readonly [number, string, string, string, string, string];

const MONDAY_MS = 345_600_000;

/** The two trades are in one candle, or in two if a new period started between them. */
function assertCandles(candles: readonly Candle[], lengthMs: number): void {
  assert.ok(candles.length === 1 || candles.length === 2, `${candles.length} candles`);
  const [first, last] = [candles[0], candles.at(-1)!];
  const isWeek = lengthMs === 604_800_000;
  for (const [timeMs] of candles) assert.equal((timeMs - (isWeek ? MONDAY_MS : 0)) % lengthMs, 0);
  assert.equal(first[1], '0.92', 'open');
  assert.equal(last[2], '0.93', 'high');
  assert.equal(first[3], '0.92', 'low');
  assert.equal(last[4], '0.93', 'close');
  const volume = candles.reduce((sum, candle) => sum + Number(candle[5]), 0);
  assert.equal(volume, 150, 'volume');
}
