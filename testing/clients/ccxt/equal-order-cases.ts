// Equal orders within one second, and parameters that ccxt forwards: each order executes, and no
// order term is ignored.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { BadRequest, type hollaex } from 'ccxt';
import { assertRefused, type ClientCase } from '../client-case.ts';
import { SYMBOL } from './order-cases.ts';

const FUNDS = { btc: '1', usdt: '100000' };
const ORDERS = 10;

/** Signs like the official client for Node: a full second, 60 s ahead, and price 0. */
async function buyLikeTheOfficialClient({ apiKey, secret, urls }: hollaex): Promise<number> {
  const { rest } = urls.api as { rest?: string };
  const body = '{"symbol":"btc-usdt","side":"buy","size":0.01,"type":"market","price":0}';
  const expires = String(Math.floor(Date.now() / 1_000) + 60);
  const text = `POST/v2/order${expires}${body}`;
  const answer = await fetch(`${rest}/v2/order`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'api-key': apiKey!,
      'api-expires': expires,
      'api-signature': createHmac('sha256', secret!).update(text).digest('hex'),
    },
    body,
  });
  await answer.text();
  return answer.status;
}

export const equalOrderCases: readonly ClientCase[] = [
  {
    title: 'ten equal market buys in a row execute ten times',
    covers: ['createOrder'],
    async run(stage) {
      const [maker, taker] = await stage.traders(2, FUNDS);
      await taker.loadMarkets();
      await maker.createOrder(SYMBOL, 'limit', 'sell', 0.5, 60_000);
      const bought = await Promise.all(
        Array.from({ length: ORDERS }, () => taker.createOrder(SYMBOL, 'market', 'buy', 0.01)),
      );
      assert.deepEqual(new Set(bought.map(({ filled }) => filled)), new Set(['0.01']));
      assert.equal(new Set(bought.map(({ id }) => id)).size, ORDERS);
      await maker.cancelAllOrders(SYMBOL);
    },
  },
  {
    title: 'ten equal market buys in a row, signed like the official client, execute ten times',
    covers: ['createOrder'],
    async run(stage) {
      const [maker, taker] = await stage.traders(2, FUNDS);
      await maker.createOrder(SYMBOL, 'limit', 'sell', 0.5, 60_000);
      const statuses: number[] = [];
      for (let count = 0; count < ORDERS; count += 1) {
        statuses.push(await buyLikeTheOfficialClient(taker));
      }
      assert.deepEqual(statuses, Array(ORDERS).fill(200));
      await maker.cancelAllOrders(SYMBOL);
    },
  },
  {
    title: 'parameters that would change execution throw BadRequest by name; others are ignored',
    covers: ['createOrder'],
    async run(stage) {
      const [client] = await stage.traders(1, FUNDS);
      const place = (params: object) =>
        client.createOrder(SYMBOL, 'limit', 'buy', 0.01, 50_000, params);
      await assertRefused(place({ post_only: true }), BadRequest, 'meta.post_only');
      await assertRefused(place({ meta: { timeInForce: 'IOC' } }), BadRequest, 'time_in_force');
      for (const name of ['reduceOnly', 'leverage', 'marginMode', 'takeProfit', 'iceberg']) {
        await assertRefused(place({ [name]: 5 }), BadRequest, `(${name}) is not supported`);
      }
      assert.deepEqual(await client.fetchOpenOrders(SYMBOL), []);
      const order = await place({ strategy: 'grid', reduceOnly: false });
      await client.cancelOrder(order.id!, SYMBOL);
    },
  },
];
