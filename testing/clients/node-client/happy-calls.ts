// Arguments with which every recorded method succeeds. Objects that must exist are created on the
// exchange under test.

import { totpCode } from '../../../features/auth/index.ts';
import { ADDRESSES, MARKET, PASSWORD, PRICE } from '../../conformance/scene.ts';
import type { Stage } from '../../conformance/stage.ts';
import { Caller as SessionCaller } from '../../operators/first-administrator.ts';
import { RECORDED_METHODS } from './recorded-methods.ts';
import { type Given, type Replayed, replay } from './replay-request.ts';

export class Replayer {
  readonly stage: Stage;
  #made = 0;

  constructor(stage: Stage) {
    this.stage = stage;
  }

  call(name: string, given: Given = {}): Promise<Replayed> {
    const { admin, taker, url } = this.stage.target;
    const recorded = RECORDED_METHODS.find((one) => one.name === name);
    if (recorded === undefined) throw new Error(`no method ${name}`);
    const isAdmin = recorded.call.includes('/v2/admin');
    return replay(url, isAdmin ? admin : taker, recorded, given);
  }

  /** Returns a different number each time: equal writes within a second have the same signature. */
  next(): number {
    this.#made += 1;
    return this.#made;
  }

  text(): string {
    return `replayed-${Date.now().toString(36)}-${this.next()}`;
  }

  async must(name: string, given: Given): Promise<Replayed['body']> {
    const { body, status, text } = await this.call(name, given);
    if (status < 300) return body;
    throw new Error(`${name}: ${status} ${text}`);
  }
}

/** Run one after another, because a later call can depend on an earlier one. */
type Arguments = (
  on: Replayer,
) => AsyncIterable<Given> | Promise<readonly Given[]> | readonly Given[];

const dates = () => ({
  start_date: new Date(Date.now() - 86_400_000).toISOString(),
  end_date: new Date(Date.now() + 86_400_000).toISOString(),
});
const page = () => ({ limit: 10, page: 1, order_by: 'created_at', order: 'asc', ...dates() });
const none: Arguments = () => [{}];
const once =
  (given: (on: Replayer) => Given): Arguments =>
  (on) => [given(on)];
/** No filter, every filter, and as files. */
const files =
  (filters: (on: Replayer) => Given): Arguments =>
  (on) => [{}, { ...filters(on), ...page() }, { format: 'csv' }, { format: 'all' }];

/** Returns a multiple of the increment. */
function sizeOf(on: Replayer): number {
  return (10 + on.next()) / 10_000;
}

async function newOrder(on: Replayer): Promise<string> {
  const size = sizeOf(on);
  const order = { symbol: MARKET, side: 'buy', size, type: 'limit', price: PRICE - 2_000 };
  return (await on.must('createOrder', order)).id;
}

async function newUser(on: Replayer): Promise<{ id: number; email: string }> {
  const email = `${on.text()}@example.com`;
  await on.must('createExchangeUser', { email, password: PASSWORD });
  const { data } = await on.must('getExchangeUsers', { search: email });
  return { id: data[0].id, email };
}

/** Creates a user with a second factor. */
async function userWithFactor(on: Replayer): Promise<number> {
  const { email, id } = await newUser(on);
  const { url } = on.stage.target;
  const nobody = new SessionCaller(url);
  const { token } = await nobody.send('POST', '/login', { email, password: PASSWORD });
  const session = new SessionCaller(url, token);
  const { secret } = await session.send('GET', '/user/request-otp');
  await session.send('POST', '/user/activate-otp', { code: totpCode(secret, Date.now()) });
  return id;
}

async function newPool(on: Replayer, given: Given = {}): Promise<number> {
  const { id } = await on.must('createExchangeStakesByAdmin', { ...pool(on), ...given });
  return id;
}

function pool(on: Replayer): Given {
  const { id } = on.stage.admin;
  return {
    name: on.text(),
    user_id: id,
    currency: 'usdt',
    account_id: id,
    apy: 5,
    min_amount: 1,
    max_amount: 1_000,
    early_unstake: true,
    status: 'uninitialized',
    duration: 30,
  };
}

const trade = (on: Replayer): Given => ({
  maker_id: on.stage.maker.id,
  taker_id: on.stage.taker.id,
  maker_fee: 0.1,
  taker_fee: 0.2,
  symbol: MARKET,
  size: sizeOf(on),
  price: PRICE,
  side: 'buy',
});
const record = (on: Replayer): Given => ({
  user_id: on.stage.taker.id,
  currency: 'eur',
  amount: 10 + on.next() / 100,
});
const changed =
  (make: string): Arguments =>
  async (on) => {
    const transaction_id = on.text();
    await on.must(make, { ...record(on), transaction_id, status: false });
    return [
      { transaction_id, description: 'later' },
      { transaction_id, status: true },
    ];
  };
const recorded: Arguments = (on) => [
  record(on),
  { ...record(on), transaction_id: on.text(), status: true, email: false, fee: 0.1 },
  { ...record(on), currency: 'usdt', transaction_id: on.text() },
];
const transfers = files(({ stage }) => ({
  user_id: stage.maker.id,
  currency: 'eur',
  status: true,
}));

const TRADING: Readonly<Record<string, Arguments>> = {
  getKit: none,
  getTicker: () => [{ symbol: MARKET }],
  getTickers: none,
  getOrderbook: () => [{ symbol: MARKET }],
  getOrderbooks: none,
  getTrades: () => [{}, { symbol: MARKET }],
  getConstants: none,
  getUser: none,
  getBalance: none,
  getDeposits: () => [{}, { ...page(), currency: 'eur', status: true }],
  getWithdrawals: () => [{}, { ...page(), currency: 'eur', status: true }],
  makeWithdrawal: once((on) => ({
    currency: 'usdt',
    amount: 20 + on.next() / 100,
    address: ADDRESSES.eth,
    network: 'eth',
  })),
  getUserTrades: () => [
    {},
    { symbol: MARKET, ...page(), order_by: 'timestamp' },
    { format: 'csv' },
    { format: 'all' },
  ],
  getOrder: async (on) => [{ order_id: await newOrder(on) }],
  getOrders: () => [{}, { symbol: MARKET, side: 'buy', open: true, ...page() }],
  createOrder: (on) => [
    {
      symbol: MARKET,
      side: 'buy',
      size: sizeOf(on),
      type: 'limit',
      price: PRICE - 2_000,
      meta: { post_only: true },
    },
    { symbol: MARKET, side: 'buy', size: 0.001, type: 'market', price: 0 },
  ],
  cancelOrder: async (on) => [{ order_id: await newOrder(on) }],
  cancelAllOrders: async (on) => {
    await newOrder(on);
    return [{ symbol: MARKET }];
  },
  getOraclePrice: () => [
    { assets: ['btc', 'usdt'] },
    { assets: ['btc'], quote: 'usdt', amount: 2 },
  ],
  getMiniCharts: () => [{ assets: 'undefined' }],
  getQuickTradeQuote: once(() => ({
    spending_currency: 'usdt',
    receiving_currency: 'btc',
    spending_amount: '100',
  })),
  executeOrder: async (on) => {
    const given = { spending_currency: 'usdt', receiving_currency: 'btc', spending_amount: '90' };
    const { token } = await on.must('getQuickTradeQuote', given);
    return [{ token }];
  },
};

const MONEY: Readonly<Record<string, Arguments>> = {
  getExchangeInfo: none,
  getExchangeDeposits: transfers,
  getExchangeWithdrawals: transfers,
  getExchangeBalance: none,
  transferExchangeAsset: once((on) => ({
    sender_id: on.stage.maker.id,
    receiver_id: on.stage.taker.id,
    currency: 'eur',
    amount: 1 + on.next() / 100,
    description: 'rent',
    email: true,
  })),
  mint: recorded,
  createExchangeDeposit: recorded,
  updateMint: changed('mint'),
  updateExchangeDeposit: changed('mint'),
  burn: recorded,
  createExchangeWithdrawal: recorded,
  updateBurn: changed('burn'),
  updateExchangeWithdrawal: changed('burn'),
  checkExchangeDepositStatus: once(() => ({
    currency: 'btc',
    transaction_id: 'b'.repeat(64),
    address: ADDRESSES.btc,
    network: 'btc',
    is_testnet: false,
  })),
  settleExchangeFees: async function* (on) {
    yield {};
    // New fees require a trade.
    await on.must('createTradeByAdmin', trade(on));
    yield { user_id: on.stage.taker.id };
  },
  getExchangeTrades: files(({ stage }) => ({
    user_id: stage.maker.id,
    symbol: MARKET,
    order_by: 'timestamp',
  })),
  getExchangeOrders: ({ stage }) => [
    {},
    { user_id: stage.maker.id, side: 'sell', open: true, symbol: MARKET, ...page() },
  ],
  cancelExchangeUserOrder: async (on) => [
    { order_id: await newOrder(on), user_id: on.stage.taker.id },
  ],
  createOrderByAdmin: once((on) => ({
    user_id: on.stage.maker.id,
    size: sizeOf(on),
    side: 'buy',
    type: 'limit',
    price: PRICE - 2_000,
    symbol: MARKET,
  })),
  createTradeByAdmin: once(trade),
  createWithdrawalByAdmin: once((on) => ({
    user_id: on.stage.maker.id,
    address: ADDRESSES.eth,
    amount: 30 + on.next() / 100,
    currency: 'usdt',
    network: 'eth',
  })),
};

const PEOPLE: Readonly<Record<string, Arguments>> = {
  getExchangeUsers: files(({ stage }) => ({ id: stage.maker.id, activated: true })),
  createExchangeUser: once((on) => ({ email: `${on.text()}@example.com`, password: PASSWORD })),
  updateExchangeUser: once(({ stage }) => ({ user_id: stage.taker.id, note: 'a remark' })),
  deleteExchangeUser: async (on) => [{ user_id: (await newUser(on)).id }],
  createExchangeUserWallet: async (on) => [{ user_id: (await newUser(on)).id, crypto: 'btc' }],
  getExchangeUserWallet: files(({ stage }) => ({ user_id: stage.maker.id, is_valid: true })),
  getExchangeUserBalance: once(({ stage }) => ({ user_id: stage.maker.id })),
  createExchangeUserBank: once(({ stage }) => ({
    id: stage.taker.id,
    bank_account: [{ type: 'bank', bank_name: 'Harbor Bank', account_number: '12345678' }],
  })),
  getExchangeUserLogins: files(({ stage }) => ({ user_id: stage.admin.id })),
  deactivateExchangeUser: async (on) => [{ user_id: (await newUser(on)).id, activated: false }],
  deactivateExchangeUserOtp: async (on) => [{ user_id: await userWithFactor(on) }],
  getExchangeUserReferrals: ({ stage }) => [
    { user_id: stage.maker.id },
    { user_id: stage.maker.id, ...page() },
  ],
  getExchangeUserReferrer: once(({ stage }) => ({ user_id: stage.taker.id })),
  sendExchangeUserEmail: once(({ stage }) => ({
    user_id: stage.taker.id,
    mail_type: 'welcome',
    data: {},
  })),
  sendRawEmail: once(({ stage }) => ({
    receivers: [stage.taker.email],
    html: '<p>News</p>',
    title: 'News',
    text: 'News',
  })),
  getExchangeUserBalances: ({ stage }) => [
    {},
    { user_id: stage.maker.id, currency: 'btc' },
    { '/csv': true, format: 'csv' },
  ],
  disableUserWithdrawalByAdmin: async (on) => [
    { user_id: (await newUser(on)).id, expiry_date: dates().end_date },
  ],
};

const STAKING: Readonly<Record<string, Arguments>> = {
  getExchangeStakesByAdmin: async (on) => {
    await newPool(on);
    return [{}, page(), { format: 'csv' }, { format: 'all' }];
  },
  createExchangeStakesByAdmin: once(pool),
  updateExchangeStakesByAdmin: async (on) => {
    const id = await newPool(on);
    return [
      { id, apy: 6 },
      { id, status: 'active' },
    ];
  },
  deleteExchangeStakesByAdmin: async (on) => {
    const id = await newPool(on);
    await on.must('updateExchangeStakesByAdmin', { id, status: 'active' });
    await on.must('updateExchangeStakesByAdmin', { id, status: 'paused' });
    return [{ id }];
  },
  getExchangeStakersByAdmin: ({ stage }) => [
    {},
    { user_id: stage.maker.id, currency: 'usdt', ...page() },
  ],
  getStakeAnalyticsByAdmin: none,
};

export const HAPPY_CALLS: Readonly<Record<string, Arguments>> = {
  ...TRADING,
  ...MONEY,
  ...PEOPLE,
  ...STAKING,
};
