// Every public endpoint on a running exchange: its responses and its rejections. The gateway
// validates each response against its schema.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';

const SEEN_WITHIN_MS = 20_000;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const DAY_S = 86_400;

type Query = Readonly<Record<string, string | number>>;

let sandbox: Sandbox;
let anyone: RestClient;

/** Bitcoin trades at 60,000 and then 60,100, the dollar at 0.92. Bitcoin/euro has no trades. */
async function trade(): Promise<void> {
  const [alice, bob] = (['alice', 'bob'] as const).map((name) => {
    const { key, secret } = sandbox.seeded.users[name];
    return new RestClient({ url: sandbox.url, key, secret });
  });
  const orders: [RestClient, string, 'buy' | 'sell', string, string][] = [
    [alice, 'btc-usdt', 'sell', '0.01', '60000'],
    [alice, 'btc-usdt', 'sell', '0.02', '60100'],
    [bob, 'btc-usdt', 'buy', '0.01', '60000'],
    [bob, 'btc-usdt', 'buy', '0.005', '60100'],
    [bob, 'btc-usdt', 'buy', '0.3', '59900.5'],
    [alice, 'usdt-eur', 'sell', '100', '0.92'],
    [bob, 'usdt-eur', 'buy', '100', '0.92'],
  ];
  for (const [who, symbol, side, size, price] of orders) {
    const { status, text } = await who.post('/order', { symbol, side, size, price, type: 'limit' });
    assert.equal(status, 200, text);
  }
}

function get(path: string, query: Query = {}): Promise<RestAnswer> {
  return anyone.get(path, query);
}

// biome-ignore lint/suspicious/noExplicitAny: each test checks its own response shape.
async function answer(path: string, query: Query = {}): Promise<any> {
  const { body, status, text } = await get(path, query);
  assert.equal(status, 200, `${path}: ${text}`);
  return body;
}

function until(what: string, question: () => Promise<boolean>): Promise<void> {
  return waitUntil({ what, timeoutMs: SEEN_WITHIN_MS, question });
}

function nowS(): number {
  return Math.floor(Date.now() / 1_000);
}

describe('the public interface', () => {
  before(async () => {
    sandbox = await startSandbox();
    anyone = new RestClient({ url: sandbox.url });
    // Keeps all trades on one day, whenever the test runs.
    await until('midnight is not near', async () => nowS() % DAY_S < DAY_S - 15);
    await trade();
    const isSeen = async () => {
      const [btc, usdt] = [
        await answer('/ticker', { symbol: 'btc-usdt' }),
        await answer('/ticker', { symbol: 'usdt-eur' }),
      ];
      return btc.last === 60_100 && usdt.last === 0.92;
    };
    await until('the tickers have the trades', isSeen);
  });
  after(() => sandbox?.stop());

  test('health has six fields', async () => {
    const { domain, host, name, version, ...rest } = await answer('/health');
    assert.deepEqual(rest, { basePath: '/v2', status: true });
    for (const text of [domain, host, name]) assert.ok(text.length > 0);
    assert.match(version, /^\d+\.\d+\.\d+$/);
  });

  test('the root redirects to health', async () => {
    const { status, url } = await fetch(sandbox.url);
    assert.equal(status, 200);
    assert.match(url, /\/v2\/health$/);
  });

  test('constants contain all coins, all pairs and the other documented keys', async () => {
    const constants = await answer('/constants');
    assert.deepEqual(Object.keys(constants), [
      'coins',
      'pairs',
      'broker',
      'quicktrade',
      'transactionLimits',
      'networkQuickTrades',
      'network',
    ]);
    assert.deepEqual(Object.keys(constants.coins), ['btc', 'usdt', 'eur']);
    assert.deepEqual(constants.coins.btc.withdrawal_fees.btc, {
      value: 0.0005,
      symbol: 'btc',
      active: true,
      type: 'static',
      min: 0.001,
      max: 100,
    });
    const { created_at, id, updated_at, ...pair } = constants.pairs['btc-usdt'];
    assert.match(created_at, TIME);
    assert.match(updated_at, TIME);
    assert.equal(typeof id, 'number');
    assert.deepEqual(pair, {
      name: 'btc-usdt',
      code: 'btc-usdt',
      pair_base: 'btc',
      pair_2: 'usdt',
      min_size: 0.0001,
      max_size: 1_000,
      increment_size: 0.0001,
      min_price: 100,
      max_price: 1_000_000,
      increment_price: 0.01,
      active: true,
      verified: true,
      is_public: true,
      status: 'full',
      auction_ends_at: null,
      estimated_price: 60_000,
      created_by: 0,
    });
    assert.equal(constants.transactionLimits.length, 6);
    assert.deepEqual(constants.quicktrade[0], { symbol: 'btc-usdt', type: 'pro', active: true });
  });

  test('the kit contains the URL of the exchange', async () => {
    const kit = await answer('/kit');
    assert.ok(kit.info.url.startsWith('http'));
    assert.equal(typeof kit.links, 'object');
  });

  test('tiers contain fees in percent for each pair', async () => {
    const tiers = await answer('/tiers');
    assert.equal(tiers['1'].fees.maker['btc-usdt'], 0.1);
    assert.equal(tiers['1'].fees.taker['usdt-eur'], 0.2);
    assert.equal(tiers['2'].fees.taker['btc-eur'], 0.1);
    assert.equal(tiers['1'].native_currency_limit, false);
  });

  test('a ticker contains the 24-hour prices', async () => {
    const { timestamp, ...ticker } = await answer('/ticker', { symbol: 'btc-usdt' });
    assert.match(timestamp, TIME);
    assert.deepEqual(ticker, {
      open: 60_000,
      close: 60_100,
      high: 60_100,
      low: 60_000,
      last: 60_100,
      volume: 0.015,
    });
  });

  test('all tickers contain their time and symbol, under both endpoint names', async () => {
    for (const path of ['/tickers', '/ticker/all']) {
      const tickers = await answer(path);
      assert.deepEqual(Object.keys(tickers), ['btc-usdt', 'btc-eur', 'usdt-eur']);
      const { time, ...rest } = tickers['usdt-eur'];
      assert.match(time, TIME);
      assert.deepEqual(rest, {
        open: 0.92,
        close: 0.92,
        high: 0.92,
        low: 0.92,
        last: 0.92,
        volume: 100,
        symbol: 'usdt-eur',
      });
      assert.equal(tickers['btc-eur'].last, 0);
    }
  });

  test('a book is keyed by its symbol, best price first', async () => {
    const book = await answer('/orderbook', { symbol: 'btc-usdt' });
    assert.deepEqual(Object.keys(book), ['btc-usdt']);
    assert.deepEqual(book['btc-usdt'].asks, [[60_100, 0.015]]);
    assert.deepEqual(book['btc-usdt'].bids, [[59_900.5, 0.3]]);
    const shouted = await answer('/orderbook', { symbol: 'BTC-USDT' });
    assert.deepEqual(Object.keys(shouted), ['btc-usdt']);
  });

  test('the response with all books includes empty books', async () => {
    const books = await answer('/orderbooks');
    assert.deepEqual(Object.keys(books), ['btc-usdt', 'btc-eur', 'usdt-eur']);
    const { timestamp, ...empty } = books['btc-eur'];
    assert.match(timestamp, TIME);
    assert.deepEqual(empty, { bids: [], asks: [] });
  });

  test('the last trades are newest first, for one market or for all', async () => {
    const { 'btc-usdt': trades } = await answer('/trades', { symbol: 'btc-usdt' });
    const shown = trades.map(({ timestamp, ...rest }: { timestamp: string }) => rest);
    assert.deepEqual(shown, [
      { id: 2, size: 0.005, price: 60_100, side: 'buy' },
      { id: 1, size: 0.01, price: 60_000, side: 'buy' },
    ]);
    const all = await answer('/trades');
    assert.deepEqual(Object.keys(all), ['btc-usdt', 'btc-eur', 'usdt-eur']);
    assert.deepEqual(all['btc-eur'], []);
  });

  test('the trade history has pages, filters and a count', async () => {
    const isThere = async () => (await answer('/trades/history')).count === 3;
    await until('the tables have the trades', isThere);
    const first = await answer('/trades/history', { limit: 1 });
    assert.equal(first.count, 3);
    assert.deepEqual(
      first.data.map(({ symbol }: { symbol: string }) => symbol),
      ['usdt-eur'],
    );
    const oldest = await answer('/trades/history', { symbol: 'btc-usdt', order: 'asc', limit: 1 });
    assert.equal(oldest.count, 2);
    assert.equal(oldest.data[0].price, 60_000);
    assert.equal((await answer('/trades/history', { side: 'sell' })).count, 0);
    assert.equal((await answer('/trades/history', { end_date: '2020-01-01' })).count, 0);
    assert.equal((await answer('/trades/history', { page: 2 })).data.length, 0);
  });

  test('a chart has candles for every spelling of a resolution', async () => {
    const range = { from: nowS() - 8 * DAY_S, to: nowS() };
    const names = ['1', '5', '15', '30', '60', '120', '240', '1D', 'D', '1W', 'W', 'H'];
    for (const resolution of [...names, '1m', '5m', '15m', '1h', '4h', '1d', '1w']) {
      const candles = await answer('/chart', { symbol: 'btc-usdt', resolution, ...range });
      const volume = candles.reduce((sum: number, one: { volume: number }) => sum + one.volume, 0);
      assert.equal(volume.toFixed(4), '0.0150', resolution);
      assert.equal(candles[0].open, 60_000, resolution);
      assert.equal(candles.at(-1).close, 60_100, resolution);
      assert.equal(candles[0].symbol, 'btc-usdt');
    }
  });

  test('a chart also accepts milliseconds, and has no candles outside its range', async () => {
    const chart = { symbol: 'btc-usdt', resolution: '1d' };
    const ms = { from: (nowS() - 8 * DAY_S) * 1_000, to: nowS() * 1_000 };
    assert.equal((await answer('/chart', { ...chart, ...ms })).length, 1);
    assert.deepEqual(await answer('/chart', { ...chart, from: 0, to: 1_000 }), []);
    assert.deepEqual(await answer('/chart', { ...chart, from: nowS(), to: 0 }), []);
    assert.equal(
      (await answer('/chart', { ...chart, from: -1, to: 999_999_999_999_999 })).length,
      1,
    );
  });

  test('charts contain every market', async () => {
    const charts = await answer('/charts', { resolution: 'H', from: nowS() - DAY_S, to: nowS() });
    assert.deepEqual(Object.keys(charts), ['btc-usdt', 'btc-eur', 'usdt-eur']);
    assert.deepEqual(charts['btc-eur'], []);
    assert.equal(charts['usdt-eur'].at(-1).close, 0.92);
  });

  test('mini charts have prices as strings, through other markets if needed', async () => {
    for (const times of [
      {},
      { from: nowS() - DAY_S },
      { from: nowS() - 300 * DAY_S, to: nowS() },
    ]) {
      const query = { assets: 'btc,usdt,eur', quote: 'eur', ...times };
      const { btc, eur, usdt } = await answer('/minicharts', query);
      const { time, ...last } = btc.at(-1);
      assert.match(time, TIME);
      assert.deepEqual(last, { price: '55292', symbol: 'btc', quote: 'eur' });
      assert.equal(usdt.at(-1).price, '0.92');
      assert.deepEqual([eur[0].price, eur.at(-1).price], ['1', '1']);
    }
    assert.equal((await answer('/minicharts', { assets: 'btc' })).btc.at(-1).quote, 'usdt');
  });

  test('prices are converted through other markets, and are exact', async () => {
    const prices = await answer('/oracle/prices', { assets: 'btc,usdt,eur', quote: 'eur' });
    assert.deepEqual(prices, { btc: 55_292, usdt: 0.92, eur: 1 });
    assert.deepEqual(await answer('/oracle/prices', { assets: 'BTC', amount: '0.5' }), {
      btc: 30_050,
    });
    const { text } = await get('/oracle/prices', { assets: 'usdt', quote: 'btc' });
    assert.equal(text, '{"usdt":0.000016638935108153}');
  });

  test('charting libraries find their configuration, symbols, search and time', async () => {
    const config = await answer('/udf/config');
    assert.ok(config.supported_resolutions.includes('1D'));
    const symbol = await answer('/udf/symbols', { symbol: 'btc-usdt' });
    const { minmov, name, pricescale, session, volume_precision } = symbol;
    assert.deepEqual([name, session, pricescale, minmov], ['btc-usdt', '24x7', 100, 1]);
    assert.equal(volume_precision, 4);
    const found = await answer('/udf/search', { query: 'usdt', limit: 1 });
    assert.deepEqual(
      found.map((one: { symbol: string }) => one.symbol),
      ['btc-usdt'],
    );
    assert.ok(Math.abs((await answer('/udf/time')) - nowS()) < 60);
  });

  test('the charting library history has columns, or the time of the next data', async () => {
    const chart = { symbol: 'btc-usdt', resolution: '1D' };
    const history = await answer('/udf/history', { ...chart, from: 0, to: nowS() });
    assert.equal(history.s, 'ok');
    assert.deepEqual([history.o, history.c, history.v], [[60_000], [60_100], [0.015]]);
    assert.equal(history.t[0] % DAY_S, 0);
    const none = await answer('/udf/history', { ...chart, from: 0, to: 1_000 });
    assert.deepEqual([none.s, none.t, none.nextTime], ['no_data', [], undefined]);
    const later = { from: nowS() + DAY_S, to: nowS() + 2 * DAY_S };
    const after = await answer('/udf/history', { ...chart, ...later });
    assert.deepEqual([after.s, after.nextTime], ['no_data', history.t[0]]);
    const back = await answer('/udf/history', { ...chart, ...later, countback: 300 });
    assert.deepEqual(back.t, history.t);
  });

  const range = { from: 0, to: 1 };
  const chart = { resolution: '1h', ...range };
  const refused: [path: string, query: Query, message: RegExp][] = [
    ['/ticker', {}, /Parameter \(symbol\) is required/],
    ['/ticker', { symbol: 'btc-xyz' }, /Invalid symbol/],
    ['/orderbook', {}, /Parameter \(symbol\) is required/],
    ['/orderbook', { symbol: '__proto__' }, /Invalid symbol/],
    ['/orderbook', { symbol: 'x'.repeat(65) }, /Parameter \(symbol\)/],
    ['/trades', { symbol: 'nope' }, /Invalid symbol/],
    ['/trades/history', { symbol: 'nope' }, /Invalid symbol/],
    ['/trades/history', { side: 'up' }, /Parameter \(side\)/],
    ['/trades/history', { order_by: 'price' }, /Cannot sort by price/],
    ['/trades/history', { page: 101, limit: 100 }, /Too many rows/],
    ['/chart', { symbol: 'btc-usdt', ...range }, /Parameter \(resolution\) is required/],
    ['/chart', { symbol: 'btc-usdt', ...chart, resolution: '7' }, /Parameter \(resolution\)/],
    ['/chart', { symbol: 'btc-usdt', resolution: '1h', from: 0 }, /Parameter \(to\) is required/],
    ['/chart', { symbol: 'btc-usdt', ...chart, from: 'now' }, /Parameter \(from\)/],
    ['/chart', { symbol: 'nope', ...chart }, /Invalid symbol/],
    ['/charts', range, /Parameter \(resolution\) is required/],
    ['/minicharts', {}, /Parameter \(assets\) is required/],
    ['/minicharts', { assets: 'btc', quote: 'nope' }, /Invalid asset/],
    ['/oracle/prices', {}, /Parameter \(assets\) is required/],
    ['/oracle/prices', { assets: 'nope,nada' }, /Invalid asset: nope/],
    ['/oracle/prices', { assets: 'btc', amount: 0 }, /must be positive/],
    ['/oracle/prices', { assets: 'btc', amount: -1 }, /must be positive/],
    ['/oracle/prices', { assets: 'btc', amount: 'many' }, /Value is not a number/],
    ['/udf/symbols', {}, /Parameter \(symbol\) is required/],
    ['/udf/symbols', { symbol: 'nope' }, /Invalid symbol/],
    ['/udf/history', { symbol: 'nope', ...chart }, /Invalid symbol/],
    ['/udf/history', { symbol: 'btc-usdt', ...chart, countback: 'x' }, /Parameter \(countback\)/],
  ];

  for (const [path, query, message] of refused) {
    test(`${path} rejects ${JSON.stringify(query).slice(0, 60)}`, async () => {
      const { body, status, text } = await get(path, query);
      assert.equal(status, 400, text);
      assert.match(body.message, message);
      assert.equal(typeof body.code, 'number');
    });
  }

  test('the development signer returns the text and, with a secret, the signature', async () => {
    const request = { method: 'GET', path: '/v2/user?a=b', expires: 1_800_000_000 };
    const plain = await anyone.post('/dev/sign', request);
    assert.deepEqual(plain.body, { text: 'GET/v2/user?a=b1800000000' });
    const body = '{"symbol":"btc-usdt"}';
    const signed = await anyone.post('/dev/sign', {
      method: 'POST',
      path: '/v2/order',
      expires: 1_800_000_000,
      body,
      secret: 'secret',
    });
    assert.deepEqual(signed.body, {
      text: 'POST/v2/order1800000000{"symbol":"btc-usdt"}',
      signature: '0534fddeff8215de854c62d3a7f28795e2f1dbab10925e7db9aa835ab171f175',
    });
    assert.equal((await anyone.post('/dev/sign', { method: 'GET' })).status, 400);
  });

  test('browsers of any origin can read, and every response has the standard headers', async () => {
    const target = '/v2/health';
    const origin = 'https://example.com';
    const plain = await anyone.send({ method: 'GET', target });
    const crossing = await anyone.send({ method: 'GET', target, headers: { origin } });
    const refused = await anyone.send({
      method: 'GET',
      target: '/v2/nowhere',
      headers: { origin },
    });
    assert.equal(refused.status, 404);
    for (const { headers } of [crossing, refused]) {
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.match(headers.get('access-control-expose-headers') ?? '', /ratelimit-remaining/);
    }
    for (const { headers } of [plain, crossing, refused]) {
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('x-request-id') ?? '', /^[\w-]+$/);
    }
    for (const name of ['limit', 'remaining', 'reset']) {
      assert.match(plain.headers.get(`ratelimit-${name}`) ?? '', /^\d+$/);
    }
    const asked = await fetch(sandbox.url + target, { method: 'OPTIONS', headers: { origin } });
    assert.equal(asked.status, 204);
    assert.equal(asked.headers.get('access-control-allow-origin'), '*');
    assert.equal(asked.headers.get('access-control-allow-methods'), 'GET, HEAD');
  });

  test('the API reference and its document are served', async () => {
    const page = await fetch(`${sandbox.url}/docs`);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self' 'sha256-/);
    const { body: document } = await anyone.send({ method: 'GET', target: '/openapi.json' });
    assert.equal(document.openapi, '3.1.0');
    assert.ok('/v2/orderbook' in document.paths);
  });

  test('charts requested before are served while the tables are unreachable', async () => {
    const query = { symbol: 'usdt-eur', resolution: '1h', from: nowS() - DAY_S, to: nowS() };
    const known = await answer('/chart', query);
    await sandbox.postgres.stop();
    assert.deepEqual(await answer('/chart', query), known);
    assert.deepEqual(Object.keys(await answer('/orderbook', { symbol: 'usdt-eur' })), ['usdt-eur']);
    const unknown = await get('/chart', { ...query, resolution: '4h' });
    assert.equal(unknown.status, 503, unknown.text);
    assert.equal(unknown.headers.get('retry-after'), '1');
  });
});
