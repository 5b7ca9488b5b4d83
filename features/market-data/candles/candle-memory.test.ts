// Tests that repeated chart requests need no query and never miss a candle.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Resolution } from '../../../core/market-data/index.ts';
import type { Atoms, MarketId } from '../../../core/money/index.ts';
import type { FeedKind, FeedValue } from '../../../infra/live-feed/index.ts';
import { systemClock } from '../../../infra/process/index.ts';
import { CandleMemory, type CandleSource, type ChartMarket } from './candle-memory.ts';
import { type CandleRange, cut } from './candle-window.ts';
import type { ChartCandle } from './chart-candle.ts';

const MINUTE_MS = 60_000;
const market: ChartMarket = {
  market: 1 as MarketId,
  symbol: 'btc-usdt',
  tick: { mantissa: 1, scale: 0 },
  lot: { atoms: 10n as Atoms, scale: 2 },
};
const other: ChartMarket = { ...market, market: 2 as MarketId, symbol: 'eth-usdt' };
const all: CandleRange = { fromMs: 0, toMs: 1e12, limit: 100, keep: 'first' };

let tables: Map<number, ChartCandle[]>;
let values: Map<string, FeedValue>;
let reads: { markets: readonly number[]; resolution: string; range: CandleRange }[];
let nowMs: number;

const source: CandleSource = {
  async read({ markets, range, resolution }) {
    reads.push({ markets, resolution, range });
    return new Map(markets.map((id) => [id, cut(tables.get(id) ?? [], range)]));
  },
};
const feed = { get: (kind: FeedKind, symbol: string) => values.get(`${kind} ${symbol}`) };
const clock = { ...systemClock, elapsedMs: () => nowMs };

function memory(sizes: { windowCandlesMax?: number; candlesMax?: number } = {}): CandleMemory {
  return new CandleMemory({
    source,
    feed,
    clock,
    windowCandlesMax: 100,
    candlesMax: 1_000,
    ...sizes,
  });
}

function candle(minute: number, price: number): ChartCandle {
  const ticks = { openTicks: 1, highTicks: price, lowTicks: 1, closeTicks: price };
  return { startMs: minute * MINUTE_MS, ...ticks, volumeLots: 7n } as ChartCandle;
}

function say(candles: readonly ChartCandle[], symbol = 'btc-usdt', resolution = '1m'): FeedValue {
  const texts = candles.map(
    ({ closeTicks, startMs }) =>
      `{"time":"${new Date(startMs).toISOString()}","open":1,"high":${closeTicks},"low":1` +
      `,"close":${closeTicks},"volume":0.7,"symbol":"${symbol}"}`,
  );
  const value = { frame: 1, text: `[${texts.join(',')}]` };
  values.set(`candle.${resolution} ${symbol}`, value);
  return value;
}

/** Minutes and closing prices. */
async function ask(
  asked: CandleMemory,
  range: CandleRange = all,
  resolution: Resolution = '1m',
): Promise<string> {
  const found = await asked.read([market], resolution, range);
  const candles = found.get(market) ?? [];
  return candles.map((one) => `${one.startMs / MINUTE_MS}:${one.closeTicks}`).join(' ');
}

describe('candle memory', () => {
  beforeEach(() => {
    tables = new Map();
    values = new Map();
    reads = [];
    nowMs = 0;
  });

  test('queries the tables once and then uses only the feed', async () => {
    const asked = memory();
    tables.set(1, [candle(1, 10), candle(2, 20), candle(3, 30)]);
    say([candle(2, 20), candle(3, 33)]);
    assert.equal(await ask(asked), '1:10 2:20 3:33');
    say([candle(2, 20), candle(3, 35)]);
    assert.equal(await ask(asked), '1:10 2:20 3:35');
    assert.equal(reads.length, 1);
    assert.equal(asked.count, 3);
  });

  test('follows the feed between requests', async () => {
    const asked = memory();
    tables.set(1, [candle(1, 10)]);
    await ask(asked);
    for (let minute = 2; minute < 9; minute += 1) {
      const value = say([candle(minute - 1, minute * 10 - 10), candle(minute, minute * 10)]);
      asked.onFeed({ kind: 'candle.1m', symbol: 'btc-usdt', value });
    }
    assert.equal(await ask(asked), '1:10 2:20 3:30 4:40 5:50 6:60 7:70 8:80');
    assert.equal(reads.length, 1);
    assert.equal(asked.count, 8);
  });

  test('takes the very first candle and the next one from the feed alone', async () => {
    const asked = memory();
    assert.equal(await ask(asked), '');
    const first = say([candle(1, 10)]);
    asked.onFeed({ kind: 'candle.1m', symbol: 'btc-usdt', value: first });
    const second = say([candle(1, 11), candle(5, 50)]);
    asked.onFeed({ kind: 'candle.1m', symbol: 'btc-usdt', value: second });
    const third = say([candle(5, 51), candle(6, 60)]);
    asked.onFeed({ kind: 'candle.1m', symbol: 'btc-usdt', value: third });
    assert.equal(await ask(asked), '1:11 5:51 6:60');
    assert.equal(reads.length, 1);
  });

  test('queries the tables again after a gap in the feed', async () => {
    const asked = memory();
    tables.set(1, [candle(1, 10)]);
    await ask(asked);
    tables.set(1, [candle(1, 10), candle(2, 20), candle(3, 30), candle(4, 40)]);
    say([candle(3, 30), candle(4, 44)]);
    nowMs = 1_000;
    assert.equal(await ask(asked), '1:10 2:20 3:30 4:44');
    assert.equal(reads.length, 2);
  });

  test('shows the feed after a gap, and queries lagging tables at bounded intervals', async () => {
    const asked = memory();
    tables.set(1, [candle(1, 10)]);
    say([candle(5, 50), candle(6, 60)]);
    assert.equal(await ask(asked), '1:10 5:50 6:60');
    assert.equal(await ask(asked), '1:10 5:50 6:60');
    assert.equal(reads.length, 1);
    tables.set(1, [candle(1, 10), candle(3, 30), candle(5, 49)]);
    nowMs = 999;
    assert.equal(await ask(asked), '1:10 5:50 6:60');
    nowMs = 1_000;
    assert.equal(await ask(asked), '1:10 3:30 5:50 6:60');
    nowMs = 5_000;
    assert.equal(await ask(asked), '1:10 3:30 5:50 6:60');
    assert.equal(reads.length, 2);
  });

  test('does not move back when the tables are ahead of the feed', async () => {
    const asked = memory();
    tables.set(1, [candle(1, 10), candle(2, 29), candle(3, 30)]);
    say([candle(1, 10), candle(2, 20)]);
    assert.equal(await ask(asked), '1:10 2:29 3:30');
    say([candle(2, 29), candle(3, 31)]);
    assert.equal(await ask(asked), '1:10 2:29 3:31');
  });

  test('reads candles older than the window from tables, with the feed at the end', async () => {
    const asked = memory({ windowCandlesMax: 2 });
    tables.set(1, [candle(1, 10), candle(2, 20), candle(3, 30), candle(4, 40)]);
    say([candle(3, 30), candle(4, 44)]);
    assert.equal(await ask(asked, { ...all, fromMs: 3 * MINUTE_MS }), '3:30 4:44');
    assert.equal(reads.length, 1);
    assert.equal(await ask(asked, { ...all, fromMs: 2 * MINUTE_MS }), '2:20 3:30 4:44');
    assert.equal(await ask(asked, { ...all, fromMs: 0, limit: 2 }), '1:10 2:20');
    assert.equal(await ask(asked, { ...all, toMs: 2 * MINUTE_MS }), '1:10 2:20');
    assert.equal(reads.length, 4);
  });

  test('returns the last candles without the tables if it has enough of them', async () => {
    const asked = memory({ windowCandlesMax: 3 });
    tables.set(1, [candle(1, 10), candle(2, 20), candle(3, 30), candle(4, 40)]);
    assert.equal(await ask(asked, { ...all, limit: 2, keep: 'last' }), '3:30 4:40');
    const upTo3 = { ...all, toMs: 3 * MINUTE_MS, limit: 2, keep: 'last' } as const;
    assert.equal(await ask(asked, upTo3), '2:20 3:30');
    assert.equal(reads.length, 1);
    assert.equal(await ask(asked, { ...upTo3, limit: 3 }), '1:10 2:20 3:30');
    assert.equal(reads.length, 2);
  });

  test('both ends of a range are inclusive', async () => {
    tables.set(1, [candle(1, 10), candle(2, 20), candle(3, 30), candle(4, 40)]);
    const range = { ...all, fromMs: 2 * MINUTE_MS, toMs: 3 * MINUTE_MS };
    assert.equal(await ask(memory(), range), '2:20 3:30');
    assert.equal(await ask(memory(), { ...range, toMs: 3 * MINUTE_MS - 1 }), '2:20');
    assert.equal(await ask(memory(), { ...range, fromMs: 2 * MINUTE_MS + 1 }), '3:30');
    assert.equal(await ask(memory(), { ...range, fromMs: 9 * MINUTE_MS }), '');
    assert.equal(await ask(memory(), { ...range, keep: 'last', fromMs: 9 * MINUTE_MS }), '');
  });

  test('shares one query between concurrent requests, and between many markets', async () => {
    const asked = memory();
    tables.set(1, [candle(1, 10)]);
    tables.set(2, [candle(1, 70)]);
    const answers = await Promise.all([ask(asked), asked.read([market, other], '1m', all)]);
    assert.equal(answers[0], '1:10');
    assert.deepEqual(answers[1].get(other), [candle(1, 70)]);
    assert.deepEqual(
      reads.map(({ markets }) => markets),
      [[1], [2]],
    );
    const fresh = memory();
    await fresh.read([market, other], '1m', all);
    assert.deepEqual(reads[2].markets, [1, 2]);
  });

  test('drops the least recently used series when memory is full', async () => {
    const asked = memory({ candlesMax: 5 });
    tables.set(1, [candle(1, 10), candle(2, 20)]);
    for (const resolution of ['1m', '5m', '1m', '1h'] as const) await ask(asked, all, resolution);
    assert.equal(asked.count, 4);
    await ask(asked, all, '1m');
    assert.deepEqual(
      reads.map(({ resolution }) => resolution),
      ['1m', '5m', '1h'],
    );
    await ask(asked, all, '5m');
    assert.equal(reads.length, 4);
  });

  test('a growing window drops its oldest candles and no longer claims to have them', async () => {
    const asked = memory({ windowCandlesMax: 2, candlesMax: 10_000 });
    tables.set(1, [candle(1, 10), candle(2, 20)]);
    await ask(asked);
    for (let minute = 3; minute < 300; minute += 1) {
      const value = say([candle(minute - 1, 5), candle(minute, 5)]);
      asked.onFeed({ kind: 'candle.1m', symbol: 'btc-usdt', value });
    }
    assert.ok(asked.count <= 2 + 256, `${asked.count} are kept`);
    const before = reads.length;
    await ask(asked, { ...all, fromMs: 0, limit: 1 });
    assert.equal(reads.length, before + 1);
  });

  test('queries again after a failed query', async () => {
    let isDown = true;
    const asked = new CandleMemory({
      feed,
      clock,
      windowCandlesMax: 10,
      candlesMax: 100,
      source: { read: (what) => (isDown ? Promise.reject(new Error('down')) : source.read(what)) },
    });
    tables.set(1, [candle(1, 10)]);
    await assert.rejects(ask(asked), /down/);
    isDown = false;
    assert.equal(await ask(asked), '1:10');
  });
});
