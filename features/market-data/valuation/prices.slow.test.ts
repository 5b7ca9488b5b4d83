// Tests prices from a real database: which candles count, which path is used, and when the
// operator's reference counts instead.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { migrate, type OwnConnection } from '../../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../../testing/projections/postgres-for-test.ts';
import { describeCoin, describePair } from '../../listings/index.ts';
import { cautiousPrices, closingPrices, conservativePrices } from './prices.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-03-10T00:00:00Z');
const SCHEMA = { projectionSchema: 'rialto' };
const ASSETS = ['btc', 'usdt', 'eth', 'doge', 'gone', 'gold'];
/** Ticks of 0.01. */
const MARKETS: [id: number, base: string, quote: string, status: string][] = [
  [1, 'btc', 'usdt', 'full'],
  [2, 'eth', 'btc', 'full'],
  [3, 'doge', 'eth', 'full'],
  [4, 'gone', 'usdt', 'delisted'],
];

let postgres: PostgresForTest;
let registry: OwnConnection;
let stop: () => Promise<void> = async () => {};

describe('prices', () => {
  before(async () => {
    postgres = await startPostgresForTest({
      after: (end) => {
        stop = end;
      },
    });
    const projected = await postgres.schema('rialto');
    registry = await postgres.session('registry');
    await migrate(registry, 'registry', readRegistryMigrations());
    for (const [at, symbol] of ASSETS.entries()) {
      await projected.query('insert into assets values ($1, $2, 8, 1000000, now())', [
        at + 1,
        symbol,
      ]);
    }
    for (const [id, base, quote, status] of MARKETS) {
      await projected.query(
        `insert into markets (id, name, base_id, quote_id, lot_atoms, tick_mantissa, tick_scale,
           tick_lot_atoms, min_price_ticks, max_price_ticks, min_size_lots, max_size_lots,
           reference_ticks, status, listed_at, updated_at)
         values ($1, $2, $3, $4, 1, 1, 2, 1, 1, 1000000000, 1, 1000000, 1, $5, now(), now())`,
        [id, `${base}-${quote}`, ASSETS.indexOf(base) + 1, ASSETS.indexOf(quote) + 1, status],
      );
    }
  });
  after(() => stop());

  async function candles(
    market: number,
    resolution: '1h' | '1m',
    closes: readonly [start: string | number, close: number][],
  ): Promise<void> {
    await registry.query('delete from rialto.candles where market_id = $1', [market]);
    for (const [start, close] of closes) {
      await registry.query(
        `insert into rialto.candles values ($1, $2, $3, $4, $4, $4, $4, 1, 1, 1)`,
        [market, resolution, new Date(start), close],
      );
    }
  }

  async function references(prices: Record<string, string>): Promise<void> {
    await registry.query('delete from coins');
    for (const [symbol, estimatedPrice] of Object.entries(prices)) {
      await describeCoin(registry, { symbol, fullname: symbol, estimatedPrice });
    }
  }

  const conservative = (quote: string, currencies?: readonly string[]) =>
    conservativePrices(registry, {
      ...SCHEMA,
      quote,
      nowMs: NOW_MS,
      ...(currencies && { currencies }),
    });
  const hoursAgo = (hours: number) => NOW_MS - hours * HOUR_MS;

  test('the median counts every hour of a week, including those without trades', async () => {
    await references({});
    // 100 lasts for 60 hours and 300 for 107; the last price, for one hour, does not matter.
    await candles(1, '1h', [
      [hoursAgo(300), 10_000],
      [hoursAgo(108), 30_000],
      [hoursAgo(1), 100],
    ]);
    assert.equal((await conservative('usdt')).btc, '300');
    await candles(1, '1h', [
      [hoursAgo(300), 10_000],
      [hoursAgo(80), 30_000],
    ]);
    assert.equal((await conservative('usdt')).btc, '100');
  });

  test('a candle from the future does not count', async () => {
    await candles(1, '1h', [[NOW_MS, 10_000]]);
    assert.equal((await conservative('usdt')).btc, undefined);
  });

  test("abuse 44: a week's highest reference and lowest quote reference count", async () => {
    await candles(1, '1h', []);
    await references({ gold: '3000', usdt: '1' });
    const reprice = (symbol: string, estimatedPrice: string) =>
      describeCoin(registry, { symbol, fullname: symbol, estimatedPrice });
    await reprice('gold', '0.00000001');
    assert.equal((await conservative('usdt', ['gold'])).gold, '3000');
    await reprice('usdt', '1000000');
    assert.equal((await conservative('usdt', ['gold'])).gold, '3000');
    await registry.query('update past_prices set until = $1', [new Date(hoursAgo(7 * 24))]);
    await reprice('usdt', '2');
    await registry.query('delete from past_prices where until > $1', [new Date(NOW_MS)]);
    assert.equal((await conservative('usdt', ['gold'])).gold, '0.000000005');
    await reprice('gold', '5000');
    const cautious = await cautiousPrices(registry, {
      ...SCHEMA,
      quote: 'usdt',
      at: new Date(NOW_MS),
      currencies: ['gold'],
    });
    assert.equal(cautious.gold, '2500');
    await registry.query('truncate past_prices');
  });

  const higher: [reference: string, price: string][] = [
    ['99.99', '100'],
    ['100.01', '100.01'],
  ];
  for (const [reference, price] of higher) {
    test(`with reference ${reference} and median 100, the price is ${price}`, async () => {
      await references({ btc: reference, usdt: '1' });
      await candles(1, '1h', [[hoursAgo(5), 10_000]]);
      assert.equal((await conservative('usdt', ['btc'])).btc, price);
    });
  }

  const alone: [historyHours: number, price: string | undefined][] = [
    [5, undefined],
    [83, undefined],
    [84, '100'],
    [400, '100'],
  ];
  for (const [hours, price] of alone) {
    test(`without a reference, a median of ${hours} hours is ${price}`, async () => {
      await references({});
      await candles(1, '1h', [[hoursAgo(hours), 10_000]]);
      assert.equal((await conservative('usdt', ['btc'])).btc, price);
    });
  }

  // A payment by value: raising a price must not pay.
  const cautious: [reference: string, historyHours: number, price: string | undefined][] = [
    ['99', 400, '99'],
    ['101', 400, '100'],
    ['101', 5, '101'],
    ['0', 400, undefined],
  ];
  for (const [reference, hours, price] of cautious) {
    test(`a payment with reference ${reference} and 100 for ${hours} hours: ${price}`, async () => {
      await references({ btc: reference, usdt: '1' });
      await candles(1, '1h', [[hoursAgo(hours), 10_000]]);
      const asked = { ...SCHEMA, quote: 'usdt', currencies: ['btc'], at: new Date(NOW_MS) };
      assert.equal((await cautiousPrices(registry, asked)).btc, price);
    });
  }

  test('references are in one unit, whichever it is', async () => {
    await references({ gold: '3000', usdt: '2' });
    assert.deepEqual(await conservative('usdt', ['gold', 'usdt']), { gold: '1500', usdt: '1' });
    assert.deepEqual(await conservative('doge', ['gold']), {}, 'the quote has no reference');
  });

  test('a path uses one bridge, in either direction of a market', async () => {
    await references({});
    await candles(1, '1h', [[hoursAgo(90), 20_000]]);
    await candles(2, '1h', [[hoursAgo(90), 5]]);
    await candles(3, '1h', [[hoursAgo(90), 1]]);
    const prices = await conservative('usdt');
    assert.deepEqual(prices, { btc: '200', usdt: '1', eth: '10' }, 'doge is two bridges away');
    assert.equal((await conservative('btc', ['usdt'])).usdt, '0.005');
  });

  // One operator can switch these off, so a valuation for limits and approvals must not depend on
  // them.
  const switchedOff: [what: string, off: () => Promise<unknown>][] = [
    ['a pair', () => describePair(registry, { symbol: 'btc-usdt', active: false })],
    ['its coin', () => describeCoin(registry, { symbol: 'btc', fullname: 'B', active: false })],
    ...['inactive', 'delisted', 'paused'].map((status): [string, () => Promise<unknown>] => [
      `a market that is ${status}`,
      () => registry.query('update rialto.markets set status = $1 where id = 1', [status]),
    ]),
  ];
  for (const [what, off] of switchedOff) {
    test(`abuse 44: switching off ${what} does not change a valuation`, async () => {
      await references({ btc: '250', usdt: '1' });
      await describePair(registry, { symbol: 'btc-usdt', active: true });
      await registry.query(`update rialto.markets set status = 'full' where id = 1`);
      await candles(1, '1h', [[hoursAgo(90), 30_000]]);
      await off();
      assert.equal((await conservative('usdt')).btc, '300');
      await candles(1, '1h', [[hoursAgo(90), 20_000]]);
      const asked = { ...SCHEMA, quote: 'usdt', currencies: ['btc'], at: new Date(NOW_MS) };
      assert.equal((await cautiousPrices(registry, asked)).btc, '200');
    });
  }

  test('a closing price needs a market that is active now', async () => {
    await references({ btc: '7', usdt: '1' });
    await describePair(registry, { symbol: 'btc-usdt', active: true });
    await candles(1, '1m', [[hoursAgo(5), 100]]);
    const price = async () => {
      const at = new Date(NOW_MS);
      return (await closingPrices(registry, { ...SCHEMA, quote: 'usdt', at })).btc;
    };
    for (const [status, expected] of [
      ['full', '1'],
      ['paused', '1'],
      ['delisted', '7'],
      ['full', '1'],
    ]) {
      await registry.query('update rialto.markets set status = $1 where id = 1', [status]);
      assert.equal(await price(), expected, status);
    }
    await describePair(registry, { symbol: 'btc-usdt', active: false });
    assert.equal(await price(), '7');
    await describePair(registry, { symbol: 'btc-usdt', active: true });
  });

  test('a closing price is the last one before the given minute', async () => {
    await references({ btc: '7', usdt: '1', gold: '9' });
    await candles(1, '1m', [
      ['2026-03-08T23:58:00Z', 100],
      ['2026-03-08T23:59:00Z', 200],
      ['2026-03-09T00:00:00Z', 300],
    ]);
    const at = (time: string) =>
      closingPrices(registry, { ...SCHEMA, quote: 'usdt', at: new Date(time) });
    assert.equal((await at('2026-03-09T00:00:00Z')).btc, '2');
    assert.equal((await at('2026-03-08T23:59:59Z')).btc, '1');
    assert.equal((await at('2026-03-09T00:01:00Z')).btc, '3');
    const early = await at('2026-03-08T23:58:59Z');
    assert.deepEqual(early, { btc: '7', usdt: '1', gold: '9' }, 'the reference before any trade');
  });
});
