// Statistics over HTTP: today's trades count immediately. Past days come from the stored closings
// and the closing prices of their days.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { place, type StageTrader, TradingStage, taken } from './trading-stage.ts';

const DAY_MS = 86_400_000;
const TODAY_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const day = (daysAgo: number) => new Date(TODAY_MS - daysAgo * DAY_MS).toISOString().slice(0, 10);

let stage: TradingStage;
let buyer: StageTrader;
let seller: StageTrader;

describe('statistics', () => {
  before(async () => {
    stage = await TradingStage.open();
    [buyer, seller] = await stage.traders(2);
    await place(seller.here, { side: 'sell', size: '0.5', price: '60000' });
    await place(buyer.there, { side: 'buy', size: '0.2', price: '60000' });
    await place(buyer.here, { side: 'buy', size: '0.3', price: '60000' });
  });
  after(() => stage?.sandbox.stop());

  test('the volume of this month is listed by pair', async () => {
    const { data, user_id } = taken(await buyer.there.get('/user/stats'));
    const now = new Date();
    const month = data[now.getUTCFullYear()][now.getUTCMonth() + 1];
    assert.equal(user_id, buyer.user);
    assert.deepEqual(month['btc-usdt'], {
      volume: 0.5,
      buy_volume: 0.5,
      sell_volume: 0,
      quote_volume: 30_000,
      trades: 2,
    });
  });

  test('the volume of a range is listed by coin and in the native currency', async () => {
    const from = new Date(TODAY_MS - DAY_MS).toISOString();
    const found = taken(await seller.here.get('/user/trading-volume', { from }));
    assert.equal(found.currency, 'usdt');
    assert.equal(found.data.btc.volume, 0.5);
    assert.equal(found.data.btc.trades, 2);
    assert.equal(found.volume, found.data.btc.native_currency_value);
    const to = new Date(TODAY_MS - DAY_MS).toISOString();
    assert.deepEqual(taken(await seller.here.get('/user/trading-volume', { to })).data, {});
  });

  test('past days have their prices, both as a page and as a file', async () => {
    await plantPast(buyer);
    const { count, data } = taken(await buyer.here.get('/user/balance-history', { limit: '2' }));
    assert.equal(count, 10);
    assert.deepEqual(data, [
      {
        user_id: buyer.user,
        total: 66_000,
        currency: 'usdt',
        balance: {
          btc: { original_value: 1, native_currency_value: 66_000 },
        },
        created_at: `${day(0)}T00:00:00.000Z`,
      },
      {
        user_id: buyer.user,
        total: 66_000,
        currency: 'usdt',
        balance: {
          btc: { original_value: 1, native_currency_value: 66_000 },
        },
        created_at: `${day(1)}T00:00:00.000Z`,
      },
    ]);
    const file = await buyer.there.get('/user/balance-history', { format: 'csv' });
    assert.equal(file.status, 202);
    assert.equal(file.text.split('\r\n')[0], 'user_id,total,currency,balance,created_at');
    assert.equal(file.text.trim().split('\r\n').length, 11);
  });

  test('profit and loss counts a higher price but not the deposit', async () => {
    const found = taken(await buyer.here.get('/user/balance-pl', { period: '7' }));
    assert.deepEqual(Object.keys(found), ['7d']);
    const { btc, currency, total, totalPercentage } = found['7d'];
    assert.deepEqual(btc, { cumulativePNL: 6_000, cumulativePNLPercentage: 10 });
    assert.deepEqual([currency, total, totalPercentage], ['usdt', 6_000, 10]);
    const all = taken(await seller.here.get('/user/balance-pl'));
    assert.deepEqual(Object.keys(all), ['7d', '30d', '90d']);
  });
});

/** Inserts a history, because the sandbox has none: 2 BTC ten days ago, 1 BTC withdrawn. */
async function plantPast({ user }: StageTrader): Promise<void> {
  const { registry } = stage.sandbox.admin;
  const { rows } = await registry.query(
    `select a.id as btc, m.id as market, m.tick_scale from rialto.assets a
     join rialto.markets m on m.name = 'btc-usdt' where a.symbol = 'btc'`,
  );
  const [{ btc, market, tick_scale }] = rows;
  await registry.query('delete from closing_balances where user_id = $1', [user]);
  await registry.query(
    `insert into closing_balances values
       ($1, $2, $3, 200000000, 200000000), ($1, $2, $4, 100000000, -100000000)`,
    [user, btc, day(10), day(9)],
  );
  await registry.query(
    `insert into closed_days values ($1, $2) on conflict (user_id) do update set closed_to = $2`,
    [user, day(1)],
  );
  const price = (units: number) => units * 10 ** Number(tick_scale);
  for (const [daysAgo, units] of [
    [12, 60_000],
    [3, 66_000],
  ]) {
    await registry.query(
      `insert into rialto.candles values ($1, '1h', $2, $3, $3, $3, $3, 1, 1, 1),
         ($1, '1d', $2, $3, $3, $3, $3, 1, 1, 1), ($1, '1m', $2, $3, $3, $3, $3, 1, 1, 1)`,
      [market, new Date(TODAY_MS - daysAgo * DAY_MS), price(units)],
    );
  }
}
