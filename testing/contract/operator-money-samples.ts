// Valid requests for operators moving money.

import { randomUUID } from 'node:crypto';

interface MoneyWorld {
  userId(owner: 'admin' | 'alice' | 'bob'): number;
  restingOrder(owner: 'alice'): Promise<string>;
  trade(): Promise<void>;
}

interface Sample {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

type MakeSample = (world: MoneyWorld) => Sample | Promise<Sample>;

const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

export const operatorMoneySamples = {
  setWithdrawalPolicy: () => ({ body: { one_review_from: 5_000, open_max: 10 } }),
  burn: (world) => ({ body: { user_id: world.userId('alice'), currency: 'eur', amount: 1 } }),
  transferBetweenUsers: (world) => ({
    body: {
      sender_id: world.userId('alice'),
      receiver_id: world.userId('bob'),
      currency: 'eur',
      amount: 1,
    },
  }),
  payOut: (world) => ({
    body: {
      user_id: world.userId('alice'),
      currency: 'btc',
      amount: 0.01,
      address: ADDRESS,
      network: 'btc',
    },
  }),
  tradeDirectly: (world) => ({
    body: {
      symbol: 'btc-usdt',
      side: 'buy',
      price: 60_000,
      size: 0.001,
      maker_id: world.userId('alice'),
      taker_id: world.userId('bob'),
      maker_fee: 0.1,
      taker_fee: 0.2,
    },
  }),
  placeOrderOfUser: (world) => ({
    body: {
      user_id: world.userId('alice'),
      symbol: 'btc-usdt',
      side: 'buy',
      type: 'limit',
      size: 0.001,
      price: 50_000,
    },
  }),
  cancelOrderOfUser: async (world) => ({
    query: { order_id: await world.restingOrder('alice'), user_id: world.userId('alice') },
  }),
  checkTransactionOfUsers: () => ({
    query: { currency: 'btc', transaction_id: randomUUID(), address: ADDRESS, network: 'btc' },
  }),
  // Fees must have been collected.
  settleFees: async (world) => {
    await world.trade();
    // Not to the operator, because operators cannot pay their own account without approval.
    return { query: { user_id: world.userId('bob') } };
  },
} as const satisfies Readonly<Record<string, MakeSample>>;
