// The client's sockets: rejected credentials, pings that keep sockets open, and sockets that are
// idle or get no response.

import assert from 'node:assert/strict';
import { AuthenticationError, NetworkError, RequestTimeout } from 'ccxt';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { assertFields, assertRefused, type ClientCase } from '../client-case.ts';
import type { StreamClient } from '../client-stage.ts';
import { assertWatchedBalance } from './account-stream-cases.ts';
import { assertBook, FUNDS, SYMBOL, socketsOf } from './public-stream-cases.ts';
import { seesOf, watchToTheEnd, watchUntil } from './watching.ts';

const SOON_MS = 20_000;

const privateWatches: ((client: StreamClient) => Promise<unknown>)[] = [
  (client) => client.watchBalance(),
  (client) => client.watchOrders(),
  (client) => client.watchOrders(SYMBOL),
  (client) => client.watchMyTrades(),
];

export const connectionCases: readonly ClientCase[] = [
  {
    title: 'without credentials a private watch throws AuthenticationError and opens no socket',
    covers: ['watchBalance', 'watchMyTrades', 'watchOrders'],
    async run(stage) {
      const client = await stage.streamClient();
      for (const watch of privateWatches) {
        await assertRefused(watch(client), AuthenticationError, 'requires "apiKey" credential');
      }
      assert.deepEqual(socketsOf(client), []);
    },
  },
  {
    // The gateway rejects the handshake with 401 and a reason. This client throws NetworkError for
    // every failed handshake and reads no later error, so no response would make it throw
    // AuthenticationError.
    title: 'a wrong secret and an unknown key are rejected with 401, and books can be watched',
    covers: ['watchBalance', 'watchMyTrades', 'watchOrders'],
    async run(stage) {
      const { alice } = stage.sandbox.seeded.users;
      for (const watch of privateWatches) {
        const wrong = await stage.streamClient({ key: alice.key, secret: '0'.repeat(50) });
        await assertRefused(watch(wrong), NetworkError, 'Unexpected server response: 401');
        const unknown = await stage.streamClient({ key: '0'.repeat(40), secret: alice.secret });
        await assertRefused(watch(unknown), NetworkError, 'Unexpected server response: 401');
        await watchUntil(
          () => wrong.watchOrderBook(SYMBOL),
          (seen) => assertBook(seen, [], []),
        );
        // Over REST the same client reports the cause.
        await assertRefused(wrong.fetchBalance(), AuthenticationError, 'Invalid API signature');
      }
    },
  },
  {
    title: 'an expired signature is rejected with 401, and the next watch signs again',
    covers: ['watchBalance'],
    async run(stage) {
      const [client] = await stage.streamTraders(1, FUNDS);
      client.options['ws-expires'] = '1600000000';
      const text = 'Unexpected server response: 401';
      await assertRefused(client.watchBalance(), NetworkError, text);
      assertWatchedBalance(await client.watchBalance(), {
        BTC: ['1', '1'],
        USDT: ['100000', '100000'],
      });
    },
  },
  {
    title: 'pings get pongs and keep a socket open; an idle socket is closed',
    covers: ['watchBalance', 'watchOrderBook'],
    async run(stage) {
      const [trader] = await stage.sandbox.createTraders({ count: 1, funds: FUNDS });
      const often = { keepAlive: 250, maxPingPongMisses: 40 };
      const pinging = await stage.streamClient(trader, often);
      const silent = await stage.streamClient(undefined, { ...often, keepAlive: 0 });
      const balance = () => pinging.watchBalance();
      await balance();
      const [socket] = socketsOf(pinging);
      const book = () => silent.watchOrderBook(SYMBOL);
      const closed = 'connection closed by remote server';
      await assertRefused(watchToTheEnd(book), NetworkError, closed);
      const answered = new Set<number | undefined>();
      await waitUntil({
        what: 'five pings have been answered',
        timeoutMs: SOON_MS,
        question: () => answered.add(socket.lastPong).size > 5,
      });
      await seesOf(
        () => pinging.createLimitBuyOrder(SYMBOL, 0.5, 59_000.01),
        balance,
        (seen) => assertWatchedBalance(seen, { USDT: ['70499.995', '100000'] }),
      );
      assert.deepEqual(socketsOf(pinging), [socket], 'it is still the first socket');
      await pinging.cancelAllOrders(SYMBOL);
    },
  },
  {
    title: 'a stalled gateway causes RequestTimeout, and the next watch is served',
    covers: ['watchOrders'],
    async run(stage) {
      const gateway = stage.sandbox.service('gateway-websocket-1');
      const [trader] = await stage.sandbox.createTraders({ count: 1, funds: FUNDS });
      const client = await stage.streamClient(trader, { keepAlive: 500, maxPingPongMisses: 2 });
      const order = await client.createLimitBuyOrder(SYMBOL, 0.1, 59_000);
      const orders = () => client.watchOrders();
      assertFields((await orders())[0], { id: order.id, status: 'open' });
      const [{ connection }] = socketsOf(client);
      await gateway.kill('SIGSTOP');
      try {
        const text = 'timed out due to a ping-pong keepalive missing on time';
        await assertRefused(watchToTheEnd(orders), RequestTimeout, text);
      } finally {
        await gateway.kill('SIGCONT');
      }
      // When the old socket closes, this client drops the signed address of the new one and opens a
      // third. So the test waits for the old socket to close.
      await waitUntil({
        what: 'the old socket is closed',
        timeoutMs: SOON_MS,
        question: () => connection.readyState === connection.CLOSED,
      });
      const [again] = await orders();
      assertFields(again, { id: order.id, status: 'open' });
      await seesOf(
        () => client.cancelOrder(order.id!),
        orders,
        ([seen]) => assertFields(seen, { id: order.id, status: 'canceled' }),
      );
    },
  },
];
