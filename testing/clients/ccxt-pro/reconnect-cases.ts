// The gateway is killed while it is watched, and restarted. The client reconnects with the next
// watch. That watch must return what happened in the meantime, and later updates must follow.

import assert from 'node:assert/strict';
import { NetworkError } from 'ccxt';
import { assertFields, assertRefused, type ClientCase } from '../client-case.ts';
import type { ClientStage } from '../client-stage.ts';
import { assertMyTrades, assertWatchedBalance } from './account-stream-cases.ts';
import { assertOrders } from './order-stream-cases.ts';
import { assertBook, assertLastTrades, FUNDS, SYMBOL } from './public-stream-cases.ts';
import { seesOf, watchToTheEnd, watchUntil, withoutGateway } from './watching.ts';

export const reconnectCases: readonly ClientCase[] = [
  {
    title: 'watchOrderBook continues with the current book after the gateway was killed',
    covers: ['watchOrderBook'],
    async run(stage) {
      const [maker] = await stage.traders(1, FUNDS);
      await maker.createLimitSellOrder(SYMBOL, 0.4, 60_000);
      const client = await stage.streamClient();
      const book = () => client.watchOrderBook(SYMBOL);
      await watchUntil(book, (seen) => assertBook(seen, [], [[60_000, 0.4]]));
      await withoutGateway(stage, book, async () => {
        await maker.cancelAllOrders(SYMBOL);
        await maker.createLimitSellOrder(SYMBOL, 0.2, 60_500);
      });
      await watchUntil(book, (seen) => assertBook(seen, [], [[60_500, 0.2]]));
      await seesOf(
        () => maker.createLimitBuyOrder(SYMBOL, 0.1, 59_000),
        book,
        (seen) => assertBook(seen, [[59_000, 0.1]], [[60_500, 0.2]]),
      );
      await maker.cancelAllOrders(SYMBOL);
    },
  },
  {
    title: 'watchTrades returns the trades made while the gateway was down',
    covers: ['watchTrades'],
    async run(stage) {
      const [maker, taker] = await stage.traders(2, FUNDS);
      await maker.createLimitSellOrder(SYMBOL, 0.4, 60_000);
      await taker.createMarketBuyOrder(SYMBOL, 0.0111);
      const client = await stage.streamClient();
      const trades = () => client.watchTrades(SYMBOL);
      await watchUntil(trades, (seen) => assertLastTrades(seen, ['buy 0.0111 at 60000']));
      await withoutGateway(stage, trades, () => taker.createMarketBuyOrder(SYMBOL, 0.0222));
      await watchUntil(trades, (seen) =>
        assertLastTrades(seen, ['buy 0.0111 at 60000', 'buy 0.0222 at 60000']),
      );
      await seesOf(
        () => taker.createMarketBuyOrder(SYMBOL, 0.0333),
        trades,
        (seen) => {
          assert.equal(seen.length, 1);
          assertLastTrades(seen, ['buy 0.0333 at 60000']);
        },
      );
      await maker.cancelAllOrders(SYMBOL);
    },
  },
  ...[undefined, SYMBOL].map((symbol) => ({
    title: `watchOrders${symbol === undefined ? '' : ' for a symbol'} continues after a kill`,
    covers: ['watchOrders'],
    run: (stage: ClientStage) => watchOrdersOverKill(stage, symbol),
  })),
  {
    title: 'watchBalance is exact to the last digit after the gateway was killed',
    covers: ['watchBalance'],
    async run(stage) {
      const [client] = await stage.streamTraders(1, FUNDS);
      const [taker] = await stage.traders(1, FUNDS);
      await client.createLimitSellOrder(SYMBOL, 0.4, 59_999.99);
      const balance = () => client.watchBalance();
      assertWatchedBalance(await balance(), { BTC: ['0.6', '1'], USDT: ['100000', '100000'] });
      await withoutGateway(stage, balance, () => taker.createMarketBuyOrder(SYMBOL, 0.1337));
      assertWatchedBalance(await balance(), {
        BTC: ['0.6', '0.8663'],
        USDT: ['108013.976664', '108013.976664'],
      });
      await seesOf(
        () => taker.createMarketBuyOrder(SYMBOL, 0.0001),
        balance,
        (seen) => {
          // 5.999999 minus 0.006.
          assertWatchedBalance(seen, {
            BTC: ['0.6', '0.8662'],
            USDT: ['108019.970663', '108019.970663'],
          });
        },
      );
      await client.cancelAllOrders(SYMBOL);
    },
  },
  {
    title: 'watchMyTrades returns the trades made while the gateway was down',
    covers: ['watchMyTrades'],
    async run(stage) {
      const [client] = await stage.streamTraders(1, FUNDS);
      const [taker] = await stage.traders(1, FUNDS);
      await client.createLimitSellOrder(SYMBOL, 0.4, 60_000);
      await taker.createMarketBuyOrder(SYMBOL, 0.1);
      const trades = () => client.watchMyTrades();
      assertMyTrades(await trades(), ['sell 0.1 at 60000 for 6 USDT']);
      await withoutGateway(stage, trades, () => taker.createMarketBuyOrder(SYMBOL, 0.2));
      // The exchange sends the newest first.
      assertMyTrades(await trades(), [
        'sell 0.2 at 60000 for 12 USDT',
        'sell 0.1 at 60000 for 6 USDT',
      ]);
      await seesOf(
        () => taker.createMarketBuyOrder(SYMBOL, 0.0337),
        trades,
        (seen) => assertMyTrades(seen, ['sell 0.0337 at 60000 for 2.022 USDT']),
      );
      await client.cancelAllOrders(SYMBOL);
    },
  },
  {
    title: 'while the gateway is down every watch throws NetworkError, and afterwards it works',
    covers: ['watchBalance', 'watchOrderBook'],
    async run(stage) {
      const [client] = await stage.streamTraders(1, FUNDS);
      const book = () => client.watchOrderBook(SYMBOL);
      const balance = () => client.watchBalance();
      await Promise.all([book(), balance()]);
      await withoutGateway(stage, balance, async () => {
        await assertRefused(book(), NetworkError, 'ECONNREFUSED');
        await assertRefused(balance(), NetworkError, 'ECONNREFUSED');
        await assertRefused(balance(), NetworkError, 'ECONNREFUSED');
      });
      await watchUntil(book, (seen) => assertBook(seen, [], []));
      assertWatchedBalance(await balance(), { BTC: ['1', '1'], USDT: ['100000', '100000'] });
    },
  },
  {
    title: 'a stopping gateway notifies clients, and the next watch is served after its restart',
    covers: ['watchBalance'],
    async run(stage) {
      const [client] = await stage.streamTraders(1, FUNDS);
      const balance = () => client.watchBalance();
      await balance();
      const end = assertRefused(watchToTheEnd(balance), NetworkError, 'closing code 1001');
      await Promise.all([end, stage.sandbox.service('gateway-websocket-1').restart()]);
      assertWatchedBalance(await balance(), { BTC: ['1', '1'], USDT: ['100000', '100000'] });
    },
  },
];

async function watchOrdersOverKill(stage: ClientStage, symbol: string | undefined): Promise<void> {
  const [client] = await stage.streamTraders(1, FUNDS);
  const [taker] = await stage.traders(1, FUNDS);
  const old = await client.createLimitSellOrder(SYMBOL, 0.4, 60_000);
  const orders = () => client.watchOrders(symbol);
  assertOrders(await orders(), [[old.id, 'open', '0']]);
  let young: string | undefined;
  await withoutGateway(stage, orders, async () => {
    await taker.createMarketBuyOrder(SYMBOL, 0.1);
    young = (await client.createLimitSellOrder(SYMBOL, 0.1, 61_000)).id;
  });
  // The exchange sends the newest first.
  assertOrders(await orders(), [
    [young, 'open', '0'],
    [old.id, 'open', '0.1'],
  ]);
  await seesOf(
    () => taker.createMarketBuyOrder(SYMBOL, 0.3),
    orders,
    (seen) => assertOrders(seen, [[old.id, 'closed', '0.4']]),
  );
  await seesOf(
    () => client.createLimitSellOrder(SYMBOL, 0.2, 62_000),
    orders,
    ([seen]) => assertFields(seen, { price: '62000', amount: '0.2', status: 'open' }),
  );
  await seesOf(
    () => client.cancelOrder(young!),
    orders,
    (seen) => assertOrders(seen, [[young, 'canceled', '0']]),
  );
  await client.cancelAllOrders(SYMBOL);
}
