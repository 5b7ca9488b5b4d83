// The client's errors for rejections: each must be the class that a bot's author catches.

import {
  AuthenticationError,
  BadRequest,
  BadSymbol,
  InsufficientFunds,
  InvalidNonce,
  OrderImmediatelyFillable,
  OrderNotFound,
} from 'ccxt';
import { assertRefused, type ClientCase } from '../client-case.ts';
import { assertBalance, SYMBOL } from './order-cases.ts';

const FUNDS = { btc: '1', usdt: '1000' };
const UNKNOWN_ORDER = '00000000-0000-8fff-8000-00000000ffff';

export const errorCases: readonly ClientCase[] = [
  {
    title: 'an order above the balance throws InsufficientFunds and puts nothing on hold',
    covers: ['createOrder'],
    async run(stage) {
      const [client] = await stage.traders(1, FUNDS);
      const text = 'Insufficient balance to perform the order';
      const limit = client.createLimitBuyOrder(SYMBOL, 0.1, 59_000);
      await assertRefused(limit, InsufficientFunds, text);
      const sell = client.createLimitSellOrder(SYMBOL, 1.0001, 61_000);
      await assertRefused(sell, InsufficientFunds, text);
      await assertBalance(client, { BTC: ['1', '0', '1'], USDT: ['1000', '0', '1000'] });
    },
  },
  {
    title: 'a withdrawal above the balance throws InsufficientFunds',
    covers: ['withdraw'],
    async run(stage) {
      const [client] = await stage.traders(1, FUNDS);
      const to = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
      const all = client.withdraw('BTC', 1, to, undefined, { network: 'BTC' });
      await assertRefused(all, InsufficientFunds, 'Insufficient balance');
      await assertBalance(client, { BTC: ['1', '0', '1'] });
    },
  },
  {
    title: "a missing order, or another user's order, throws OrderNotFound",
    covers: ['fetchOrder', 'cancelOrder'],
    async run(stage) {
      const [client, other] = await stage.traders(2, FUNDS);
      const id = (await other.createLimitSellOrder(SYMBOL, 0.1, 61_000)).id!;
      for (const order of [UNKNOWN_ORDER, id]) {
        await assertRefused(client.fetchOrder(order), OrderNotFound, 'Order not found');
        await assertRefused(client.cancelOrder(order), OrderNotFound, 'Order not found');
      }
      await other.cancelOrder(id);
      await assertRefused(other.cancelOrder(id, SYMBOL, { again: 1 }), OrderNotFound, 'not found');
    },
  },
  {
    title: 'an expired request throws InvalidNonce',
    covers: ['fetchBalance'],
    async run(stage) {
      const [client] = await stage.traders(1, FUNDS);
      await client.loadMarkets();
      client.options['api-expires'] = -5;
      await assertRefused(client.fetchBalance(), InvalidNonce, 'API request is expired');
    },
  },
  {
    title: 'a post only order that would trade throws OrderImmediatelyFillable and does not trade',
    covers: ['createPostOnlyOrder'],
    async run(stage) {
      const [client, other] = await stage.traders(2, { btc: '1', usdt: '100000' });
      const id = (await other.createLimitSellOrder(SYMBOL, 0.1, 60_000)).id!;
      const crossing = client.createPostOnlyOrder(SYMBOL, 'limit', 'buy', 0.1, 60_000);
      const text = 'Order rejected. Order could not be submitted as this order was set to a post';
      await assertRefused(crossing, OrderImmediatelyFillable, text);
      await other.cancelOrder(id);
      await assertBalance(client, { BTC: ['1', '0', '1'], USDT: ['100000', '0', '100000'] });
    },
  },
  {
    title: 'an unlisted symbol throws BadSymbol before it is sent, and BadRequest after',
    covers: ['fetchTicker'],
    async run(stage) {
      const client = stage.client();
      await assertRefused(client.fetchTicker('DOGE/USDT'), BadSymbol, 'DOGE/USDT');
      const sent = client.publicGetTicker({ symbol: 'doge-usdt' });
      await assertRefused(sent, BadRequest, 'Invalid symbol');
      const [trader] = await stage.traders(1, FUNDS);
      const order = trader.privatePostOrder({
        symbol: 'doge-usdt',
        side: 'buy',
        type: 'limit',
        size: '1',
        price: '1',
      });
      await assertRefused(order, BadRequest, 'Invalid symbol');
    },
  },
  {
    title: 'an invalid size or price throws BadRequest',
    covers: ['createOrder'],
    async run(stage) {
      const [client] = await stage.traders(1, FUNDS);
      const order = { symbol: 'btc-usdt', side: 'sell', type: 'limit' };
      const wrong: [Record<string, string>, string][] = [
        [{ size: '0.00005', price: '60000' }, 'Invalid size'],
        [{ size: '0.1', price: '60000.001' }, 'Invalid price'],
        [{ size: '1000.0001', price: '60000' }, 'Order size is out of the limits'],
        [{ size: '0.1', price: '1' }, 'Order price is out of the limits'],
        [{ size: '0.1', price: 'dear' }, 'price'],
        [{ size: '0.1' }, 'requires a price'],
        [{ price: '60000' }, 'Parameter (size)'],
      ];
      for (const [numbers, text] of wrong) {
        await assertRefused(client.privatePostOrder({ ...order, ...numbers }), BadRequest, text);
      }
      await assertBalance(client, { BTC: ['1', '0', '1'] });
    },
  },
  {
    title: 'a wrong secret and an unknown key throw AuthenticationError',
    covers: ['fetchBalance'],
    async run(stage) {
      const { alice } = stage.sandbox.seeded.users;
      const wrong = stage.client({ key: alice.key, secret: '0'.repeat(50) });
      await assertRefused(wrong.fetchBalance(), AuthenticationError, 'Invalid API signature');
      const unknown = stage.client({ key: '0'.repeat(40), secret: alice.secret });
      await assertRefused(unknown.fetchBalance(), AuthenticationError, 'Invalid API key');
    },
  },
  {
    // The client maps 403 to AuthenticationError. It does not use PermissionDenied, a subclass, for
    // this exchange.
    title: 'a key without the scope throws AuthenticationError, and can still read',
    covers: ['createOrder', 'withdraw'],
    async run(stage) {
      const { admin, seeded } = stage.sandbox;
      const { user } = seeded.users.alice;
      const key = await admin.issueKey({ user, canTrade: false, canWithdraw: false });
      const client = stage.client(key);
      const text = 'API key is not authorized';
      const order = client.createLimitBuyOrder(SYMBOL, 0.1, 59_000);
      await assertRefused(order, AuthenticationError, text);
      const to = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
      const withdrawal = client.withdraw('BTC', 0.1, to, undefined, { network: 'BTC' });
      await assertRefused(withdrawal, AuthenticationError, text);
      await assertBalance(client, { BTC: ['100', '0', '100'] });
    },
  },
];
