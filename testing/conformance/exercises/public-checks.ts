// Checks for the public endpoints.

import type { Call } from '../interface.ts';
import { type Checks, requiredCheck } from '../list-checks.ts';
import { COINS, MARKET, QUIET_MARKET } from '../scene.ts';
import { expect, type Stage } from '../stage.ts';

const DAY_S = 86_400;
const RESOLUTIONS = ['15', '60', '240', '1D', '1W'];
const LEVELS_MAX = 10;
const TRADES_MAX = 30;
const now = () => Math.floor(Date.now() / 1_000);
/** Candles are named by their start, and the current week started up to seven days ago. */
const span = () => ({ from: String(now() - 8 * DAY_S), to: String(now() + DAY_S) });
const chart = () => ({ symbol: MARKET, resolution: '60', ...span() });

type Level = readonly [price: number, size: number];
interface Book {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

function expectBook({ asks, bids }: Book): void {
  expect(bids.length <= LEVELS_MAX && asks.length <= LEVELS_MAX, 'at most 10 levels', {
    bids: bids.length,
    asks: asks.length,
  });
  const falls = bids.every(([price], at) => at === 0 || price < bids[at - 1][0]);
  const rises = asks.every(([price], at) => at === 0 || price > asks[at - 1][0]);
  expect(falls && rises, 'best prices first', { bids: bids[0], asks: asks[0] });
}

/** Checks all resolutions. Each has a current candle. */
async function resolutions(
  stage: Stage,
  call: Call,
  more: object,
  first: (body: never) => unknown,
) {
  for (const resolution of RESOLUTIONS) {
    const body = await stage.ok(call, { ...span(), ...more, resolution });
    expect(first(body as never) !== undefined, `candles of ${resolution}`, body);
  }
}

function spanChecks(
  call: Call,
  given: () => object,
  candles: (body: never) => { time: string }[],
): Checks {
  const isFuture = { from: String(now() + DAY_S), to: String(now() + 2 * DAY_S) };
  const isPast = { from: '978307200', to: '978393600' };
  const required = requiredCheck(call, () => ({ ...given() }), ['resolution', 'from', 'to']);
  return {
    from: async (stage) => {
      await required.from(stage);
      const body = await stage.ok(call, { ...given(), ...isFuture });
      expect(candles(body as never).length === 0, 'no candle of tomorrow', body);
    },
    to: async (stage) => {
      await required.to(stage);
      const body = await stage.ok(call, { ...given(), ...isPast });
      expect(candles(body as never).length === 0, 'no candle of 2001', body);
    },
  };
}

export const PUBLIC_CHECKS: Readonly<Record<string, Checks>> = {
  'GET /v2/health': {
    answer: async (stage) => {
      const { basePath, version } = await stage.ok('GET /v2/health');
      expect(basePath === '/v2', 'basePath /v2', basePath);
      expect(/^\d+\.\d+\.\d+$/.test(version), 'a version of three numbers', version);
    },
  },
  'GET /v2/constants': {
    answer: async (stage) => {
      const { coins, pairs } = await stage.ok('GET /v2/constants');
      for (const coin of COINS) expect(coins[coin]?.symbol === coin, `coin ${coin}`, coins[coin]);
      const { code, name, pair_2, pair_base } = pairs[MARKET] ?? {};
      expect(`${pair_base}-${pair_2}` === MARKET, MARKET, { pair_base, pair_2 });
      expect(name === MARKET && code === MARKET, `name and code ${MARKET}`, { name, code });
    },
  },
  'GET /v2/kit': {
    answer: async (stage) => {
      const { valid_languages } = await stage.ok('GET /v2/kit');
      expect(valid_languages.split(',').includes('en'), 'en among the languages', valid_languages);
    },
  },
  'GET /v2/tiers': {
    answer: async (stage) => {
      const tiers = await stage.ok('GET /v2/tiers');
      expect(tiers['1']?.id === 1, 'tier 1 by its id', Object.keys(tiers));
      const { maker, taker } = tiers['1'].fees;
      expect(MARKET in maker && MARKET in taker, `fees of ${MARKET}`, maker);
    },
  },
  'GET /v2/ticker': {
    answer: async (stage) => {
      const { high, last, low, volume } = await stage.ok('GET /v2/ticker', { symbol: MARKET });
      expect(low <= last && last <= high && volume > 0, 'low ≤ last ≤ high, and a volume', {
        low,
        last,
        high,
        volume,
      });
    },
    symbol: async (stage) => {
      await stage.refused('GET /v2/ticker', {});
      await stage.ok('GET /v2/ticker', { symbol: QUIET_MARKET });
    },
  },
  'GET /v2/tickers': {
    answer: async (stage) => {
      const tickers = await stage.ok('GET /v2/tickers');
      for (const [key, { symbol }] of Object.entries<{ symbol: string }>(tickers)) {
        expect(symbol === key, `symbol ${key}`, symbol);
      }
      expect(MARKET in tickers && QUIET_MARKET in tickers, 'all markets', Object.keys(tickers));
    },
  },
  'GET /v2/orderbook': {
    answer: async (stage) => {
      const books = await stage.ok('GET /v2/orderbook', { symbol: MARKET });
      expectBook(books[MARKET]);
      expect(
        books[MARKET].bids.length === LEVELS_MAX,
        '10 of 12 levels',
        books[MARKET].bids.length,
      );
    },
    symbol: async (stage) => {
      await stage.refused('GET /v2/orderbook', {});
      const books = await stage.ok('GET /v2/orderbook', { symbol: QUIET_MARKET });
      expect(Object.keys(books).join() === QUIET_MARKET, QUIET_MARKET, Object.keys(books));
    },
  },
  'GET /v2/orderbooks': {
    answer: async (stage) => {
      const books = await stage.ok('GET /v2/orderbooks');
      expect(MARKET in books && QUIET_MARKET in books, 'all markets', Object.keys(books));
      expectBook(books[MARKET]);
    },
  },
  'GET /v2/trades': {
    answer: async (stage) => {
      const { [MARKET]: trades } = await stage.ok('GET /v2/trades', { symbol: MARKET });
      expect(trades.length === TRADES_MAX, 'the last 30 of more trades', trades.length);
      const isSorted = trades[0].timestamp >= trades.at(-1).timestamp;
      expect(isSorted, 'newest first', [trades[0].timestamp, trades.at(-1).timestamp]);
    },
    symbol: async (stage) => {
      const one = await stage.ok('GET /v2/trades', { symbol: MARKET });
      expect(Object.keys(one).join() === MARKET, MARKET, Object.keys(one));
      const all = await stage.ok('GET /v2/trades');
      expect(QUIET_MARKET in all, 'all markets without symbol', Object.keys(all));
    },
  },
  'GET /v2/chart': {
    answer: async (stage) => {
      const [candle] = await stage.ok('GET /v2/chart', chart());
      const { high, low, open, symbol } = candle ?? {};
      expect(symbol === MARKET && low <= open && open <= high, 'low ≤ open ≤ high', candle);
    },
    symbol: requiredCheck('GET /v2/chart', chart, ['symbol']).symbol,
    resolution: (stage) =>
      resolutions(stage, 'GET /v2/chart', { symbol: MARKET }, (body: unknown[]) => body[0]),
    ...spanChecks('GET /v2/chart', chart, (body: { time: string }[]) => body),
  },
  'GET /v2/charts': {
    answer: async (stage) => {
      const charts = await stage.ok('GET /v2/charts', { resolution: '60', ...span() });
      expect(charts[MARKET]?.length > 0, `candles of ${MARKET}`, charts);
    },
    resolution: (stage) =>
      resolutions(
        stage,
        'GET /v2/charts',
        {},
        (body: Record<string, unknown[]>) => body[MARKET]?.[0],
      ),
    ...spanChecks(
      'GET /v2/charts',
      () => ({ resolution: '60', ...span() }),
      (body: Record<string, { time: string }[]>) => body[MARKET] ?? [],
    ),
  },
  'GET /v2/minicharts': {
    answer: async (stage) => {
      const charts = await stage.ok('GET /v2/minicharts', { assets: 'btc,usdt' });
      expect(charts.btc?.length > 0, 'points of btc', charts);
      expect(charts.btc[0].symbol === 'btc', 'symbol btc', charts.btc[0]);
    },
    assets: async (stage) => {
      await stage.refused('GET /v2/minicharts', {});
      const charts = await stage.ok('GET /v2/minicharts', { assets: 'btc' });
      expect(Object.keys(charts).join() === 'btc', 'only btc', Object.keys(charts));
      // Arrays in the form that web programs send.
      const path = '/v2/minicharts?assets=btc&assets=usdt';
      const { body, status } = await stage.nobody.send({ method: 'GET', path });
      expect(status === 200 && 'usdt' in body, 'btc and usdt for a repeated name', status);
    },
    from: async (stage) => {
      const all = { assets: 'btc', from: String(now() + DAY_S), to: String(now() + 2 * DAY_S) };
      const { btc } = await stage.ok('GET /v2/minicharts', all);
      expect((btc ?? []).length === 0, 'no point of tomorrow', btc);
    },
    to: async (stage) => {
      const all = { assets: 'btc', from: '978307200', to: '978393600' };
      const { btc } = await stage.ok('GET /v2/minicharts', all);
      expect((btc ?? []).length === 0, 'no point of 2001', btc);
    },
    quote: async (stage) => {
      const { usdt } = await stage.ok('GET /v2/minicharts', { assets: 'usdt', quote: 'btc' });
      expect(usdt?.[0]?.quote === 'btc', 'quote btc', usdt?.[0]);
      expect(Number(usdt[0].price) < 1, 'the price of one usdt in btc', usdt[0].price);
    },
  },
  'GET /v2/oracle/prices': {
    answer: async (stage) => {
      const { btc } = await stage.ok('GET /v2/oracle/prices', {
        assets: 'btc,usdt',
        quote: 'usdt',
      });
      expect(btc > 0, 'a price of btc', btc);
    },
    assets: async (stage) => {
      await stage.refused('GET /v2/oracle/prices', {});
      const prices = await stage.ok('GET /v2/oracle/prices', { assets: 'btc' });
      expect(Object.keys(prices).join() === 'btc', 'only btc', Object.keys(prices));
      const path = '/v2/oracle/prices?assets=btc&assets=usdt';
      const { body, status } = await stage.nobody.send({ method: 'GET', path });
      expect(status === 200 && 'usdt' in body, 'btc and usdt for a repeated name', status);
    },
    quote: async (stage) => {
      const { usdt } = await stage.ok('GET /v2/oracle/prices', { assets: 'usdt', quote: 'usdt' });
      const { usdt: other } = await stage.ok('GET /v2/oracle/prices', {
        assets: 'usdt',
        quote: 'btc',
      });
      expect(usdt === 1 && other !== 1, 'one usdt per usdt, another price in btc', [usdt, other]);
    },
    amount: async (stage) => {
      const given = { assets: 'usdt', quote: 'usdt', amount: 7 };
      const { usdt } = await stage.ok('GET /v2/oracle/prices', given);
      expect(usdt === 7, '7', usdt);
    },
  },
  'GET /v2/udf/config': {
    answer: async (stage) => {
      const { supported_resolutions } = await stage.ok('GET /v2/udf/config');
      expect(supported_resolutions.length > 0, 'resolutions', supported_resolutions);
    },
  },
  'GET /v2/udf/history': {
    answer: async (stage) => {
      const { c, h, l, o, s, v } = await stage.ok('GET /v2/udf/history', chart());
      const lengths = [o, h, l, c, v].map((one: unknown[]) => one.length);
      expect(s === 'ok' && new Set(lengths).size === 1, 'lists of equal length', { s, lengths });
    },
    symbol: requiredCheck('GET /v2/udf/history', chart, ['symbol']).symbol,
    resolution: (stage) =>
      resolutions(
        stage,
        'GET /v2/udf/history',
        { symbol: MARKET },
        ({ c }: { c: number[] }) => c[0],
      ),
    ...spanChecks('GET /v2/udf/history', chart, ({ c = [] }: { c?: never[] }) => c),
  },
  'GET /v2/udf/symbols': {
    answer: async (stage) => {
      const { name } = await stage.ok('GET /v2/udf/symbols', { symbol: MARKET });
      expect(String(name).toLowerCase().replace('/', '-') === MARKET, MARKET, name);
    },
    symbol: async (stage) => {
      await stage.refused('GET /v2/udf/symbols', {});
      await stage.ok('GET /v2/udf/symbols', { symbol: QUIET_MARKET });
    },
  },
};
