// Books and trades from the stream. All cases trade in BTC/USDT around 60,000 and leave an empty
// book to the next.

import assert from 'node:assert/strict';
import { BadSymbol, type OrderBook, type Trade } from 'ccxt';
import { assertFields, assertRefused, type ClientCase, eventually } from '../client-case.ts';
import type { StreamClient } from '../client-stage.ts';
import { seesOf, watchUntil } from './watching.ts';

export const SYMBOL = 'BTC/USDT';
export const FUNDS = { btc: '1', usdt: '100000' };

type Level = readonly [price: number, size: number];

export function assertBook(book: OrderBook, bids: readonly Level[], asks: readonly Level[]): void {
  assert.deepEqual({ bids: [...book.bids], asks: [...book.asks] }, { bids, asks });
}

/** Compares the last trades, in any order for trades with the same time. */
export function assertLastTrades(trades: readonly Trade[], expected: readonly string[]): void {
  const texts = trades.map(({ amount, price, side }) => `${side} ${amount} at ${price}`);
  assert.deepEqual(texts.slice(-expected.length).sort(), [...expected].sort());
}

export const publicStreamCases: readonly ClientCase[] = [
  {
    title: 'watchOrderBook first returns the current book, best first, like fetchOrderBook',
    covers: ['watchOrderBook'],
    async run(stage) {
      const [maker] = await stage.traders(1, FUNDS);
      await maker.createLimitSellOrder(SYMBOL, 0.25, 61_000.5);
      await maker.createLimitSellOrder(SYMBOL, 0.1337, 61_000);
      await maker.createLimitBuyOrder(SYMBOL, 0.0001, 59_000.01);
      await maker.createLimitBuyOrder(SYMBOL, 0.3, 59_500);
      const [bids, asks]: Level[][] = [
        [
          [59_500, 0.3],
          [59_000.01, 0.0001],
        ],
        [
          [61_000, 0.1337],
          [61_000.5, 0.25],
        ],
      ];
      const client = await stage.streamClient();
      await eventually(async () => assertBook(await client.fetchOrderBook(SYMBOL), bids, asks));
      // REST already has it, so the first stream message has it too.
      const book = await client.watchOrderBook(SYMBOL);
      assertBook(book, bids, asks);
      assertFields(book, { symbol: SYMBOL, nonce: undefined });
      assert.ok(Math.abs(Date.now() - Number(book.timestamp)) < 60_000);
      await maker.cancelAllOrders(SYMBOL);
    },
  },
  {
    title: 'watchOrderBook returns the full book after every change: placed, traded, canceled',
    covers: ['watchOrderBook'],
    async run(stage) {
      const [maker, taker] = await stage.traders(2, FUNDS);
      const client = await stage.streamClient();
      const book = () => client.watchOrderBook(SYMBOL);
      await watchUntil(book, (seen) => assertBook(seen, [], []));
      await seesOf(
        () => maker.createLimitSellOrder(SYMBOL, 0.4, 60_000),
        book,
        (seen) => assertBook(seen, [], [[60_000, 0.4]]),
      );
      await seesOf(
        () => maker.createLimitBuyOrder(SYMBOL, 0.2, 59_000),
        book,
        (seen) => assertBook(seen, [[59_000, 0.2]], [[60_000, 0.4]]),
      );
      await seesOf(
        () => maker.createLimitSellOrder(SYMBOL, 0.0001, 60_000),
        book,
        (seen) => assertBook(seen, [[59_000, 0.2]], [[60_000, 0.4001]]),
      );
      await seesOf(
        () => taker.createMarketBuyOrder(SYMBOL, 0.1337),
        book,
        (seen) => assertBook(seen, [[59_000, 0.2]], [[60_000, 0.2664]]),
      );
      await seesOf(
        () => maker.cancelAllOrders(SYMBOL),
        book,
        (seen) => assertBook(seen, [], []),
      );
    },
  },
  {
    title: 'watchTrades first returns the last trades, the same as fetchTrades',
    covers: ['watchTrades'],
    async run(stage) {
      const [maker, taker] = await stage.traders(2, FUNDS);
      await maker.createLimitSellOrder(SYMBOL, 0.2, 60_000.01);
      await taker.createLimitBuyOrder(SYMBOL, 0.0123, 60_000.01);
      await taker.createLimitBuyOrder(SYMBOL, 0.1877, 60_000.01);
      const expected = ['buy 0.0123 at 60000.01', 'buy 0.1877 at 60000.01'];
      const client = await stage.streamClient();
      await eventually(async () => assertLastTrades(await client.fetchTrades(SYMBOL), expected));
      const first = await client.watchTrades(SYMBOL);
      assertLastTrades(first, expected);
      assertFields(first.at(-1)!, { symbol: SYMBOL, cost: '11262.001877' });
      // The stream can reach further back.
      const fetched = essentials(await client.fetchTrades(SYMBOL));
      assert.deepEqual(essentials(first).slice(-fetched.length), fetched);
    },
  },
  {
    title: 'watchTrades then returns only new trades, with the side of the taker',
    covers: ['watchTrades'],
    async run(stage) {
      const [maker, taker] = await stage.traders(2, FUNDS);
      await maker.createLimitSellOrder(SYMBOL, 0.1, 60_010);
      await maker.createLimitSellOrder(SYMBOL, 0.1, 60_020);
      await maker.createLimitBuyOrder(SYMBOL, 0.1, 59_990);
      const client = await stage.streamClient();
      await client.watchTrades(SYMBOL);
      const sees = async (doing: () => Promise<unknown>, expected: readonly string[]) =>
        seesOf(
          doing,
          () => client.watchTrades(SYMBOL),
          (seen) => {
            assert.equal(seen.length, expected.length);
            assertLastTrades(seen, expected);
          },
        );
      await sees(
        () => taker.createLimitBuyOrder(SYMBOL, 0.15, 60_020),
        ['buy 0.1 at 60010', 'buy 0.05 at 60020'],
      );
      await sees(() => taker.createMarketSellOrder(SYMBOL, 0.0777), ['sell 0.0777 at 59990']);
      await maker.cancelAllOrders(SYMBOL);
    },
  },
  {
    title: 'two markets are watched over one socket, each with its own updates',
    covers: ['watchOrderBook'],
    async run(stage) {
      const [maker] = await stage.traders(1, { ...FUNDS, eur: '100000' });
      const client = await stage.streamClient();
      const watching = (symbol: string) => () => client.watchOrderBook(symbol);
      await Promise.all([watching(SYMBOL)(), watching('BTC/EUR')()]);
      assert.equal(socketsOf(client).length, 1);
      await Promise.all([
        watchUntil(watching(SYMBOL), (seen) => assertBook(seen, [[58_000, 0.5]], [])),
        watchUntil(watching('BTC/EUR'), (seen) => assertBook(seen, [[51_000, 0.25]], [])),
        maker.createLimitBuyOrder(SYMBOL, 0.5, 58_000),
        maker.createLimitBuyOrder('BTC/EUR', 0.25, 51_000),
      ]);
      await maker.cancelAllOrders(SYMBOL);
      await maker.cancelAllOrders('BTC/EUR');
    },
  },
  {
    title: 'an unlisted symbol throws BadSymbol and opens no socket',
    covers: ['watchOrderBook', 'watchTrades'],
    async run(stage) {
      const client = await stage.streamClient();
      await assertRefused(client.watchOrderBook('DOGE/USDT'), BadSymbol, 'DOGE/USDT');
      await assertRefused(client.watchTrades('DOGE/USDT'), BadSymbol, 'DOGE/USDT');
      assert.deepEqual(socketsOf(client), []);
    },
  },
];

/** Part of a client's socket that a case can use. */
export interface ClientSocket {
  /** Time of the last pong in milliseconds. */
  readonly lastPong?: number;
  readonly connection: { readonly readyState: number; readonly CLOSED: number };
}

/** Sockets that the client has open or is opening. */
export function socketsOf({ clients }: StreamClient): readonly ClientSocket[] {
  return Object.values(clients) as unknown as ClientSocket[];
}

function essentials(trades: readonly Trade[]) {
  return trades.map(({ amount, price, side, timestamp }) => ({ amount, price, side, timestamp }));
}
