// A user's orders from the stream: all orders, and orders of one market. All cases trade in
// BTC/USDT around 60,000 and leave an empty book to the next.

import assert from 'node:assert/strict';
import type { Order } from 'ccxt';
import { assertFields, type ClientCase } from '../client-case.ts';
import { FUNDS, SYMBOL, socketsOf } from './public-stream-cases.ts';
import { seesOf, watchUntil } from './watching.ts';

/** Checks for exactly these orders, each with its current state. */
export function assertOrders(
  orders: readonly Order[],
  expected: readonly (readonly [id: string | undefined, status: string, filled: string])[],
): void {
  assert.deepEqual(
    orders.map(({ filled, id, status }) => [id, status, filled]),
    expected,
  );
}

export const orderStreamCases: readonly ClientCase[] = [
  {
    title: 'watchOrders first returns the last orders of any status, in all markets, newest first',
    covers: ['watchOrders'],
    async run(stage) {
      const [client] = await stage.streamTraders(1, FUNDS);
      const first = await client.createLimitBuyOrder(SYMBOL, 0.5, 59_000.01);
      const canceled = await client.createLimitBuyOrder(SYMBOL, 0.1, 58_000);
      await client.cancelOrder(canceled.id!);
      const second = await client.createLimitSellOrder('BTC/EUR', 0.25, 58_000);
      const orders = await client.watchOrders();
      assertOrders(orders, [
        [second.id, 'open', '0'],
        [canceled.id, 'canceled', '0'],
        [first.id, 'open', '0'],
      ]);
      assertFields(orders[2], {
        symbol: SYMBOL,
        type: 'limit',
        side: 'buy',
        price: '59000.01',
        amount: '0.5',
        remaining: '0.5',
        cost: '0',
        postOnly: false,
        timestamp: first.timestamp,
      });
      assertFields(orders[0], { symbol: 'BTC/EUR', side: 'sell', price: '58000', amount: '0.25' });
      await client.cancelAllOrders(SYMBOL);
      await client.cancelAllOrders('BTC/EUR');
    },
  },
  {
    title: 'watchOrders reports placed, partially filled, filled and canceled orders',
    covers: ['watchOrders'],
    async run(stage) {
      const [client] = await stage.streamTraders(1, FUNDS);
      const [taker] = await stage.traders(1, FUNDS);
      const old = await client.createLimitSellOrder(SYMBOL, 0.4, 60_000);
      const orders = () => client.watchOrders();
      assertOrders(await orders(), [[old.id, 'open', '0']]);
      let young: Order | undefined;
      await seesOf(
        async () => {
          young = await client.createLimitSellOrder(SYMBOL, 0.1, 61_000);
        },
        orders,
        ([seen, ...more]) => {
          assertFields(seen, {
            symbol: SYMBOL,
            type: 'limit',
            side: 'sell',
            status: 'open',
            price: '61000',
            amount: '0.1',
            filled: '0',
            remaining: '0.1',
            cost: '0',
          });
          assert.deepEqual(more, []);
        },
      );
      assert.equal(client.orders?.at(-1)?.id, young?.id);
      await seesOf(
        () => taker.createMarketBuyOrder(SYMBOL, 0.1337),
        orders,
        (seen) => {
          assertOrders(seen, [[old.id, 'open', '0.1337']]);
          assertFields(seen[0], { amount: '0.4', remaining: '0.2663', cost: '8022' });
          assertFields(seen[0].info, { status: 'pfilled', average: 60_000, fee: 8.022 });
        },
      );
      await seesOf(
        () => taker.createMarketBuyOrder(SYMBOL, 0.2663),
        orders,
        (seen) => {
          assertOrders(seen, [[old.id, 'closed', '0.4']]);
          assertFields(seen[0], { remaining: '0', cost: '24000' });
          assertFields(seen[0].info, { status: 'filled', fee: 24, fee_coin: 'usdt' });
        },
      );
      await seesOf(
        () => client.cancelOrder(young!.id!),
        orders,
        (seen) => assertOrders(seen, [[young?.id, 'canceled', '0']]),
      );
    },
  },
  {
    title: 'watchOrders reports a market order that is filled immediately',
    covers: ['watchOrders'],
    async run(stage) {
      const [client] = await stage.streamTraders(1, FUNDS);
      const [maker] = await stage.traders(1, FUNDS);
      await maker.createLimitSellOrder(SYMBOL, 0.4, 60_000);
      const waiting = await client.createLimitBuyOrder(SYMBOL, 0.1, 50_000);
      const orders = () => client.watchOrders();
      assertOrders(await orders(), [[waiting.id, 'open', '0']]);
      await seesOf(
        () => client.createMarketBuyOrder(SYMBOL, 0.1337),
        orders,
        ([seen, ...more]) => {
          assertFields(seen, {
            type: 'market',
            side: 'buy',
            status: 'closed',
            filled: '0.1337',
            remaining: '0',
          });
          assertFields(seen.info, { average: 60_000, fee: 0.0002674, fee_coin: 'btc' });
          assert.deepEqual(more, []);
        },
      );
      await maker.cancelAllOrders(SYMBOL);
      await client.cancelAllOrders(SYMBOL);
    },
  },
  {
    title: 'watchOrders for a symbol reports placing, filling and canceling only in that market',
    covers: ['watchOrders'],
    async run(stage) {
      const [client] = await stage.streamTraders(1, FUNDS);
      const [taker] = await stage.traders(1, FUNDS);
      const order = await client.createLimitSellOrder(SYMBOL, 0.4, 60_000);
      const orders = () => client.watchOrders(SYMBOL);
      assertOrders(await orders(), [[order.id, 'open', '0']]);
      let symbols: (string | undefined)[] = [];
      const watching = async () => {
        const seen = await orders();
        symbols = [...symbols, ...seen.map(({ symbol }) => symbol)];
        return seen;
      };
      await seesOf(
        async () => {
          await client.createLimitSellOrder('BTC/EUR', 0.1, 58_000);
          await client.createLimitSellOrder(SYMBOL, 0.1, 61_000);
        },
        watching,
        ([seen]) => assertFields(seen, { status: 'open', price: '61000', amount: '0.1' }),
      );
      await seesOf(
        () => taker.createMarketBuyOrder(SYMBOL, 0.4),
        watching,
        (seen) => assertOrders(seen, [[order.id, 'closed', '0.4']]),
      );
      await seesOf(
        () => client.cancelAllOrders(SYMBOL),
        watching,
        ([seen]) => assertFields(seen, { status: 'canceled', price: '61000', filled: '0' }),
      );
      assert.deepEqual([...new Set(symbols)], [SYMBOL]);
      // The client received the other order too, and filtered it out.
      const told = [...(client.orders ?? [])].map(({ symbol }: Order) => symbol);
      assert.deepEqual(told.sort(), ['BTC/EUR', SYMBOL, SYMBOL]);
      await client.cancelAllOrders('BTC/EUR');
    },
  },
  {
    title: 'all orders and orders of one symbol are watched over one socket',
    covers: ['watchOrders'],
    async run(stage) {
      const [client] = await stage.streamTraders(1, FUNDS);
      const old = await client.createLimitSellOrder(SYMBOL, 0.4, 60_000);
      assertOrders(await client.watchOrders(), [[old.id, 'open', '0']]);
      await Promise.all([
        watchUntil(
          () => client.watchOrders(),
          (seen) => assertOrders(seen, [[old.id, 'canceled', '0']]),
        ),
        watchUntil(
          () => client.watchOrders(SYMBOL),
          (seen) => assertOrders(seen, [[old.id, 'canceled', '0']]),
        ),
        client.cancelOrder(old.id!),
      ]);
      assert.equal(socketsOf(client).length, 1);
    },
  },
];
