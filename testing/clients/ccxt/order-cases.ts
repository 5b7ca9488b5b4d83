// Orders of every type and side that ccxt can place, and the resulting balances to the last digit.
// All cases trade in BTC/USDT around 60,000 and leave an empty book to the next.

import assert from 'node:assert/strict';
import type { hollaex } from 'ccxt';
import { assertFields, type ClientCase } from '../client-case.ts';
import type { ClientStage } from '../client-stage.ts';

export const SYMBOL = 'BTC/USDT';
const FUNDS = { btc: '1', usdt: '100000' };

/** Compares free, held and total. */
export async function assertBalance(
  client: hollaex,
  expected: Readonly<Record<string, readonly [free: string, used: string, total: string]>>,
): Promise<void> {
  const balance = await client.fetchBalance();
  for (const [code, [free, used, total]] of Object.entries(expected)) {
    assert.deepEqual({ ...balance[code] }, { free, used, total }, code);
  }
}

/** Creates a maker who offers or bids for 0.4 BTC at 60,000, and a taker. */
async function withMaker(
  stage: ClientStage,
  side: 'buy' | 'sell',
  work: (taker: hollaex, maker: hollaex) => Promise<void>,
): Promise<void> {
  const [maker, taker] = await stage.traders(2, FUNDS);
  await maker.createOrder(SYMBOL, 'limit', side, 0.4, 60_000);
  try {
    await work(taker, maker);
  } finally {
    await maker.cancelAllOrders(SYMBOL);
    await taker.cancelAllOrders(SYMBOL);
  }
}

export const orderCases: readonly ClientCase[] = [
  {
    title: 'createLimitBuyOrder rests, holds size times price, and is released by cancelOrder',
    covers: ['createLimitBuyOrder', 'cancelOrder', 'POST private order', 'DELETE private order'],
    async run(stage) {
      const [client] = await stage.traders(1, FUNDS);
      const order = await client.createLimitBuyOrder(SYMBOL, 0.5, 59_000.01);
      assertFields(order, {
        symbol: SYMBOL,
        type: 'limit',
        side: 'buy',
        status: 'open',
        price: '59000.01',
        amount: '0.5',
        filled: '0',
        remaining: '0.5',
        cost: '0',
        postOnly: false,
      });
      assert.ok(Math.abs(Date.now() - Number(order.timestamp)) < 60_000);
      await assertBalance(client, {
        BTC: ['1', '0', '1'],
        USDT: ['70499.995', '29500.005', '100000'],
      });
      const canceled = await client.cancelOrder(order.id!, SYMBOL);
      assertFields(canceled, { id: order.id!, status: 'canceled', filled: '0', amount: '0.5' });
      await assertBalance(client, { BTC: ['1', '0', '1'], USDT: ['100000', '0', '100000'] });
    },
  },
  {
    title: 'createLimitSellOrder rests and holds its size',
    covers: ['createLimitSellOrder'],
    async run(stage) {
      const [client] = await stage.traders(1, FUNDS);
      const order = await client.createLimitSellOrder(SYMBOL, 0.3333, 61_000);
      assertFields(order, { side: 'sell', status: 'open', price: '61000', amount: '0.3333' });
      await assertBalance(client, {
        BTC: ['0.6667', '0.3333', '1'],
        USDT: ['100000', '0', '100000'],
      });
      await client.cancelOrder(order.id!);
      await assertBalance(client, { BTC: ['1', '0', '1'] });
    },
  },
  {
    title: 'createMarketBuyOrder pays the taker fee in BTC, and the seller pays in USDT',
    covers: ['createMarketBuyOrder', 'fetchBalance', 'GET private user/balance'],
    async run(stage) {
      await withMaker(stage, 'sell', async (taker, maker) => {
        const order = await taker.createMarketBuyOrder(SYMBOL, 0.1337);
        assertFields(order, {
          type: 'market',
          side: 'buy',
          status: 'closed',
          filled: '0.1337',
          remaining: '0',
        });
        assertFields(order.info, {
          average: 60_000,
          fee: 0.0002674,
          fee_coin: 'btc',
          status: 'filled',
        });
        await assertBalance(taker, {
          BTC: ['1.1334326', '0', '1.1334326'],
          USDT: ['91978', '0', '91978'],
        });
        await assertBalance(maker, {
          BTC: ['0.6', '0.2663', '0.8663'],
          USDT: ['108013.978', '0', '108013.978'],
        });
      });
    },
  },
  {
    title: 'createMarketSellOrder pays its fee in USDT, and the buyer pays in BTC',
    covers: ['createMarketSellOrder'],
    async run(stage) {
      await withMaker(stage, 'buy', async (taker, maker) => {
        const order = await taker.createMarketSellOrder(SYMBOL, 0.4);
        assertFields(order, { type: 'market', side: 'sell', status: 'closed', filled: '0.4' });
        assertFields(order.info, { average: 60_000, fee: 48, fee_coin: 'usdt' });
        await assertBalance(taker, {
          BTC: ['0.6', '0', '0.6'],
          USDT: ['123952', '0', '123952'],
        });
        await assertBalance(maker, {
          BTC: ['1.3996', '0', '1.3996'],
          USDT: ['76000', '0', '76000'],
        });
      });
    },
  },
  {
    title: 'createMarketOrder and createLimitOrder take the side as an argument',
    covers: ['createMarketOrder', 'createLimitOrder'],
    async run(stage) {
      await withMaker(stage, 'sell', async (taker) => {
        const market = await taker.createMarketOrder(SYMBOL, 'buy', 0.1);
        assertFields(market, { type: 'market', side: 'buy', status: 'closed', filled: '0.1' });
        const limit = await taker.createLimitOrder(SYMBOL, 'sell', 0.05, 62_000);
        assertFields(limit, { type: 'limit', side: 'sell', status: 'open', filled: '0' });
      });
    },
  },
  {
    title: 'a partially filled createOrder rests with its remainder',
    covers: ['createOrder'],
    async run(stage) {
      await withMaker(stage, 'sell', async (taker) => {
        const order = await taker.createOrder(SYMBOL, 'limit', 'buy', 0.6, 60_100);
        assertFields(order, {
          status: 'open',
          amount: '0.6',
          filled: '0.4',
          remaining: '0.2',
          price: '60100',
        });
        assertFields(order.info, { status: 'pfilled', average: 60_000, fee: 0.0008 });
        await assertBalance(taker, {
          BTC: ['1.3992', '0', '1.3992'],
          USDT: ['63980', '12020', '76000'],
        });
      });
    },
  },
  {
    title: 'the numbers of an order can be strings with trailing zeros',
    covers: ['createOrder'],
    async run(stage) {
      const [client] = await stage.traders(1, FUNDS);
      const order = await client.privatePostOrder({
        symbol: 'btc-usdt',
        side: 'buy',
        type: 'limit',
        size: '0.1000',
        price: '59000.10',
      });
      assertFields(order, { size: 0.1, price: 59_000.1, status: 'new', stop: null });
      await client.cancelAllOrders(SYMBOL);
    },
  },
  ...(['buy', 'sell'] as const).map((side) => ({
    title: `createPostOnlyOrder to ${side} rests and is marked post only`,
    covers: ['createPostOnlyOrder'],
    async run(stage: ClientStage) {
      const [client] = await stage.traders(1, FUNDS);
      const price = side === 'buy' ? 59_000 : 61_000;
      const order = await client.createPostOnlyOrder(SYMBOL, 'limit', side, 0.1, price);
      assertFields(order, { side, status: 'open', filled: '0', postOnly: true });
      const found = await client.fetchOrder(order.id!);
      assertFields(found, { id: order.id!, side, status: 'open', postOnly: true });
      await client.cancelOrder(order.id!);
    },
  })),
  {
    title: 'editOrder cancels and places a new order',
    covers: ['editOrder'],
    async run(stage) {
      const [client] = await stage.traders(1, FUNDS);
      const first = await client.createLimitBuyOrder(SYMBOL, 0.1, 59_000);
      const second = await client.editOrder(first.id!, SYMBOL, 'limit', 'buy', 0.2, 58_000);
      assertFields(second, { status: 'open', amount: '0.2', price: '58000' });
      assert.notEqual(second.id!, first.id!);
      assertFields(await client.fetchOrder(first.id!), { status: 'canceled', amount: '0.1' });
      await assertBalance(client, { USDT: ['88400', '11600', '100000'] });
      await client.cancelOrder(second.id!);
    },
  },
  {
    title: 'cancelAllOrders cancels the orders of one market and leaves the others',
    covers: ['cancelAllOrders', 'DELETE private order/all'],
    async run(stage) {
      const [client] = await stage.traders(1, { btc: '1', usdt: '1000', eur: '100000' });
      const one = await client.createLimitSellOrder(SYMBOL, 0.1, 61_000);
      const two = await client.createLimitSellOrder(SYMBOL, 0.2, 62_000);
      const other = await client.createLimitBuyOrder('BTC/EUR', 0.5, 50_000);
      const canceled = await client.cancelAllOrders(SYMBOL);
      assert.deepEqual(canceled.map(({ id }) => id).sort(), [one.id!, two.id!].sort());
      for (const order of canceled) assertFields(order, { status: 'canceled', symbol: SYMBOL });
      await assertBalance(client, { BTC: ['1', '0', '1'], EUR: ['75000', '25000', '100000'] });
      assert.deepEqual(await client.cancelAllOrders('USDT/EUR'), []);
      assertFields(await client.fetchOrder(other.id!), { status: 'open' });
      await client.cancelAllOrders('BTC/EUR');
    },
  },
];
