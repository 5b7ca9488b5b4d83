// A user's balance and trades from the stream, exact to the last digit. All cases trade in BTC/USDT
// around 60,000 and leave an empty book to the next.

import assert from 'node:assert/strict';
import type { Balances, Trade } from 'ccxt';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { assertBalance } from '../ccxt/order-cases.ts';
import { assertFields, type ClientCase } from '../client-case.ts';
import { FUNDS, SYMBOL } from './public-stream-cases.ts';
import { seesOf } from './watching.ts';

/**
 * Compares free and total. The amount on hold is not compared, because this client computes it from
 * the first message and never updates it.
 */
export function assertWatchedBalance(
  balance: Balances,
  expected: Readonly<Record<string, readonly [free: string, total: string]>>,
): void {
  for (const [code, [free, total]] of Object.entries(expected)) {
    assertFields(balance[code], { free, total });
  }
}

/** Checks for exactly these trades, in this order. */
export function assertMyTrades(trades: readonly Trade[], expected: readonly string[]): void {
  const texts = trades.map(({ amount, fee, price, side }) => {
    return `${side} ${amount} at ${price} for ${fee?.cost} ${fee?.currency}`;
  });
  assert.deepEqual(texts, expected);
}

export const accountStreamCases: readonly ClientCase[] = [
  {
    title: 'a pushed withdrawal reaches the client, which keeps updating its balance',
    covers: ['watchBalance', 'withdraw'],
    async run(stage) {
      const { sandbox } = stage;
      const [{ user }] = await sandbox.createTraders({ count: 1, funds: FUNDS });
      const client = await stage.streamClient(await sandbox.admin.issueKey({ user }));
      const pushed: string[] = [];
      const handle = client.handleMessage.bind(client);
      client.handleMessage = (socket, message) => {
        if (message.topic === 'withdrawal') pushed.push(message.data.state);
        return handle(socket, message);
      };
      // This client has no method for the topic. It subscribes and ignores the messages.
      client.watchPrivate('withdrawal').catch(() => {});
      await client.watchBalance();
      const to = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
      await seesOf(
        () => client.withdraw('BTC', 0.25, to, undefined, { network: 'BTC' }),
        () => client.watchBalance(),
        (seen) => assertWatchedBalance(seen, { BTC: ['0.7495', '1'] }),
      );
      await waitUntil({
        what: 'the withdrawal is pushed',
        timeoutMs: 20_000,
        question: () => pushed.includes('approved'),
      });
    },
  },
  {
    title: 'watchBalance first returns every currency with free, held and total',
    covers: ['watchBalance'],
    async run(stage) {
      const [client] = await stage.streamTraders(1, { btc: '0.00000001', usdt: '100000' });
      await client.createLimitBuyOrder(SYMBOL, 0.5, 59_000.01);
      const balance = await client.watchBalance();
      const { BTC, EUR, USDT } = balance;
      assert.deepEqual({ ...BTC }, { free: '0.00000001', used: '0', total: '0.00000001' });
      assert.deepEqual({ ...USDT }, { free: '70499.995', used: '29500.005', total: '100000' });
      assert.deepEqual({ ...EUR }, { free: '0', used: '0', total: '0' });
      assert.ok(Math.abs(Date.now() - Number(balance.timestamp)) < 60_000);
      await client.cancelAllOrders(SYMBOL);
    },
  },
  {
    title: 'watchBalance is exact to the last digit after placing, filling and canceling',
    covers: ['watchBalance'],
    async run(stage) {
      const [maker, taker] = await stage.streamTraders(2, FUNDS);
      const makers = () => maker.watchBalance();
      const takers = () => taker.watchBalance();
      for (const first of [await makers(), await takers()]) {
        assertWatchedBalance(first, { BTC: ['1', '1'], USDT: ['100000', '100000'] });
      }
      await seesOf(
        () => maker.createLimitSellOrder(SYMBOL, 0.4, 59_999.99),
        makers,
        (seen) => assertWatchedBalance(seen, { BTC: ['0.6', '1'], USDT: ['100000', '100000'] }),
      );
      // The maker's fee of 8.021998663 is rounded up to the smallest unit of USDT.
      const afterFill = {
        BTC: ['0.6', '0.8663'],
        USDT: ['108013.976664', '108013.976664'],
      } as const;
      await seesOf(
        () =>
          seesOf(
            () => taker.createMarketBuyOrder(SYMBOL, 0.1337),
            takers,
            (seen) => {
              assertWatchedBalance(seen, {
                BTC: ['1.1334326', '1.1334326'],
                USDT: ['91978.001337', '91978.001337'],
              });
            },
          ),
        makers,
        (seen) => assertWatchedBalance(seen, afterFill),
      );
      await seesOf(
        () => maker.cancelAllOrders(SYMBOL),
        makers,
        (seen) => assertWatchedBalance(seen, { ...afterFill, BTC: ['0.8663', '0.8663'] }),
      );
      await assertBalance(maker, {
        BTC: ['0.8663', '0', '0.8663'],
        USDT: ['108013.976664', '0', '108013.976664'],
      });
      await assertBalance(taker, {
        BTC: ['1.1334326', '0', '1.1334326'],
        USDT: ['91978.001337', '0', '91978.001337'],
      });
    },
  },
  {
    title: 'watchMyTrades first returns the past trades, and then each new one',
    covers: ['watchMyTrades'],
    async run(stage) {
      const [maker, taker] = await stage.streamTraders(2, FUNDS);
      const offer = await maker.createLimitSellOrder(SYMBOL, 0.4, 60_000);
      const bought = await taker.createMarketBuyOrder(SYMBOL, 0.1);
      const [makers, takers] = [maker, taker].map((client) => () => client.watchMyTrades());
      const first = await makers();
      assertMyTrades(first, ['sell 0.1 at 60000 for 6 USDT']);
      assertFields(first[0], { order: offer.id, symbol: SYMBOL, cost: '6000' });
      const firstOfTaker = await takers();
      assertMyTrades(firstOfTaker, ['buy 0.1 at 60000 for 0.0002 BTC']);
      assertFields(firstOfTaker[0], { order: bought.id, timestamp: first[0].timestamp });
      await seesOf(
        () =>
          seesOf(
            () => taker.createLimitBuyOrder(SYMBOL, 0.0337, 60_000),
            takers,
            (seen) => assertMyTrades(seen, ['buy 0.0337 at 60000 for 0.0000674 BTC']),
          ),
        makers,
        (seen) => {
          assertMyTrades(seen, ['sell 0.0337 at 60000 for 2.022 USDT']);
          assertFields(seen[0], { order: offer.id, cost: '2022' });
        },
      );
      await maker.cancelAllOrders(SYMBOL);
    },
  },
  {
    title: 'watchMyTrades for a symbol returns only trades in that market',
    covers: ['watchMyTrades'],
    async run(stage) {
      const [client] = await stage.streamTraders(1, { btc: '1' });
      const [other] = await stage.traders(1, { usdt: '100000', eur: '100000' });
      const trade = async (symbol: string, amount: number) => {
        await other.createLimitBuyOrder(symbol, amount, 55_000);
        await client.createMarketSellOrder(symbol, amount);
      };
      await trade(SYMBOL, 0.1);
      const trades = () => client.watchMyTrades(SYMBOL);
      assertMyTrades(await trades(), ['sell 0.1 at 55000 for 11 USDT']);
      let symbols: (string | undefined)[] = [];
      await seesOf(
        async () => {
          await trade('BTC/EUR', 0.2);
          await trade(SYMBOL, 0.3);
        },
        async () => {
          const seen = await trades();
          symbols = [...symbols, ...seen.map(({ symbol }) => symbol)];
          return seen;
        },
        (seen) => assertMyTrades(seen, ['sell 0.3 at 55000 for 33 USDT']),
      );
      assert.deepEqual(symbols, [SYMBOL]);
    },
  },
];
