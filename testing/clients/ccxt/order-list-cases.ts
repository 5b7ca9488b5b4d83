// Reading orders and trades: one by one, in lists, by market, time and number.

import assert from 'node:assert/strict';
import type { hollaex } from 'ccxt';
import { assertFields, type ClientCase } from '../client-case.ts';
import type { ClientStage } from '../client-stage.ts';
import { SYMBOL } from './order-cases.ts';

interface Story {
  readonly client: hollaex;
  readonly other: hollaex;
  readonly beganMs: number;
  readonly filled: string;
  readonly canceled: string;
  readonly open: string;
  readonly elsewhere: string;
}

let told: Promise<Story> | undefined;

/** One filled, one canceled and one open order, and an open order in another market. */
function story(stage: ClientStage): Promise<Story> {
  told ??= tell(stage);
  return told;
}

async function tell(stage: ClientStage): Promise<Story> {
  const [client, other] = await stage.traders(2, { btc: '1', usdt: '100000', eur: '100000' });
  const beganMs = Date.now() - 1_000;
  await other.createLimitSellOrder(SYMBOL, 0.1, 60_000);
  const filled = await client.createLimitBuyOrder(SYMBOL, 0.1, 60_000);
  const canceled = await client.createLimitBuyOrder(SYMBOL, 0.2, 58_000);
  await client.cancelOrder(canceled.id!);
  const open = await client.createLimitBuyOrder(SYMBOL, 0.3, 57_000);
  const elsewhere = await client.createLimitBuyOrder('BTC/EUR', 0.1, 50_000);
  return {
    client,
    other,
    beganMs,
    filled: filled.id!,
    canceled: canceled.id!,
    open: open.id!,
    elsewhere: elsewhere.id!,
  };
}

export const orderListCases: readonly ClientCase[] = [
  {
    title: 'fetchOrder returns a filled order with its fill amounts',
    covers: ['fetchOrder', 'GET private order'],
    async run(stage) {
      const { client, filled } = await story(stage);
      const order = await client.fetchOrder(filled, SYMBOL);
      assertFields(order, {
        id: filled,
        symbol: SYMBOL,
        side: 'buy',
        type: 'limit',
        status: 'closed',
        price: '60000',
        amount: '0.1',
        filled: '0.1',
        remaining: '0',
      });
      assertFields(order.info, { average: 60_000, fee: 0.0002, fee_coin: 'btc' });
    },
  },
  {
    title: 'fetchOpenOrder returns an open order',
    covers: ['fetchOpenOrder'],
    async run(stage) {
      const { client, open } = await story(stage);
      const order = await client.fetchOpenOrder(open, SYMBOL);
      assertFields(order, { id: open, status: 'open', amount: '0.3', remaining: '0.3' });
    },
  },
  {
    title: 'fetchOpenOrders returns open orders of all markets or of one',
    covers: ['fetchOpenOrders', 'GET private orders'],
    async run(stage) {
      const { client, elsewhere, open } = await story(stage);
      const all = await client.fetchOpenOrders();
      assert.deepEqual(all.map(({ id }) => id).sort(), [open, elsewhere].sort());
      const [one, ...more] = await client.fetchOpenOrders(SYMBOL);
      assertFields(one, { id: open, status: 'open', symbol: SYMBOL, price: '57000' });
      assert.deepEqual(more, []);
    },
  },
  {
    title: 'fetchClosedOrders returns filled and canceled orders',
    covers: ['fetchClosedOrders'],
    async run(stage) {
      const { canceled, client, filled } = await story(stage);
      const closed = await client.fetchClosedOrders(SYMBOL);
      const states = Object.fromEntries(closed.map(({ id, status }) => [id, status]));
      assert.deepEqual(states, { [filled]: 'closed', [canceled]: 'canceled' });
    },
  },
  {
    title: 'fetchOrders returns all orders, optionally since a time and up to a limit',
    covers: ['fetchOrders'],
    async run(stage) {
      const { beganMs, canceled, client, elsewhere, filled, open } = await story(stage);
      const ids = async (...args: Parameters<hollaex['fetchOrders']>) =>
        (await client.fetchOrders(...args)).map(({ id }) => id);
      const inTime = [filled, canceled, open, elsewhere];
      assert.deepEqual(await ids(), inTime);
      assert.deepEqual(await ids(SYMBOL), inTime.slice(0, 3));
      assert.deepEqual(await ids(undefined, beganMs), inTime);
      assert.deepEqual(await ids(undefined, Date.now() + 60_000), []);
      assert.deepEqual(await ids(SYMBOL, undefined, 2), [canceled, open]);
    },
  },
  {
    title: 'fetchMyTrades returns both sides of a trade with their fees to the last digit',
    covers: ['fetchMyTrades', 'GET private user/trades'],
    async run(stage) {
      const { beganMs, client, filled, other } = await story(stage);
      const [bought, ...more] = await client.fetchMyTrades(SYMBOL, beganMs);
      assertFields(bought, {
        order: filled,
        symbol: SYMBOL,
        side: 'buy',
        price: '60000',
        amount: '0.1',
        cost: '6000',
        fee: { cost: '0.0002', currency: 'BTC' },
      });
      assert.deepEqual(more, []);
      const [sold] = await other.fetchMyTrades();
      assertFields(sold, { side: 'sell', amount: '0.1', fee: { cost: '6', currency: 'USDT' } });
      assert.deepEqual(await client.fetchMyTrades('USDT/EUR'), []);
      assert.deepEqual(await client.fetchMyTrades(undefined, Date.now() + 60_000, 10), []);
    },
  },
  {
    title: 'the open orders of these cases are canceled',
    covers: ['cancelOrder'],
    async run(stage) {
      const { client, elsewhere, open } = await story(stage);
      for (const id of [open, elsewhere]) {
        assertFields(await client.cancelOrder(id), { id, status: 'canceled', filled: '0' });
      }
      assert.deepEqual(await client.fetchOpenOrders(), []);
    },
  },
];
