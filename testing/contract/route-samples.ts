// One valid request for every route, created in a sandbox in which it succeeds. The contract,
// permission and hostile request tests start from these. A route without required parameters needs
// no entry; a missing entry for any other route fails its contract test.

import { randomUUID } from 'node:crypto';
import { useSolo } from '../../features/approvals/operators-for-test.ts';
import { sessionHasEnded } from '../../features/kill-switches/index.ts';
import { addManualAddress } from '../../features/payments/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { type Route, type RouteName, routes } from '../../protocol/index.ts';
import { moduleOf } from '../../services/gateway-http/served-routes.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import type { Sandbox } from '../../tools/sandbox/sandbox.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { accountSamples } from './account-samples.ts';
import { approvalSamples } from './approval-samples.ts';
import { auditSamples } from './audit-samples.ts';
import { bankAccountSamples } from './bank-account-samples.ts';
import { factorSamples } from './factor-samples.ts';
import { healthSamples } from './health-samples.ts';
import { ledgerSamples } from './ledger-samples.ts';
import { liabilitySamples } from './liability-samples.ts';
import { loginSamples } from './login-samples.ts';
import { marketSamples } from './market-samples.ts';
import { operatorListSamples } from './operator-list-samples.ts';
import { operatorMoneySamples } from './operator-money-samples.ts';
import { peopleSamples } from './people-samples.ts';
import { referralSamples } from './referral-samples.ts';
import { setUpSamples } from './set-up-samples.ts';
import { signUpSamples } from './sign-up-samples.ts';
import { stakingSamples } from './staking-samples.ts';
import { subAccountSamples } from './sub-account-samples.ts';
import { surveillanceSamples } from './surveillance-samples.ts';
import { userActSamples } from './user-act-samples.ts';
import { withdrawalSamples } from './withdrawal-samples.ts';

export interface Sample {
  /** Named parts of the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Header of the session that must send the request; otherwise any session of its owner. */
  readonly person?: Readonly<Record<string, string>>;
}

/** Owner of the objects that the sample names. */
export interface SampleFor {
  readonly owner: 'admin' | 'alice' | 'bob';
}

interface SessionOfSample {
  readonly id: number;
  readonly token: string;
}

type MakeSample = (world: SampleWorld, wanted: SampleFor) => Sample | Promise<Sample>;

const FAR_PRICE = 50_000;
const OFFER_PRICE = 61_000;
const QUOTED_SIZE = 0.001;
const BITCOIN_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const day = 86_400;

export class SampleWorld {
  readonly #sandbox: Sandbox;
  readonly #sessions = new Map<SampleFor['owner'], SessionOfSample>();

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  get url(): string {
    return this.#sandbox.url;
  }

  get registry(): Pool {
    return this.#sandbox.admin.registry;
  }

  get vault(): Vault {
    return this.#sandbox.admin.vault;
  }

  client(owner: SampleFor['owner']): RestClient {
    const { key, secret } = this.#sandbox.seeded.users[owner];
    return new RestClient({ url: this.urlFor(owner), key, secret });
  }

  /** Operators have a separate gateway. */
  urlFor(owner: SampleFor['owner'], route?: Route): string {
    const isOperators = owner === 'admin' || (route !== undefined && moduleOf(route) === 'admin');
    return isOperators ? this.#sandbox.adminUrl : this.#sandbox.url;
  }

  /** Returns the header of a valid login session of the user. */
  async sessionHeaders(owner: SampleFor['owner']): Promise<Readonly<Record<string, string>>> {
    const { token } = await this.#session(owner);
    return { authorization: `Bearer ${token}` };
  }

  /** Session behind those headers. */
  async sessionId(owner: SampleFor['owner']): Promise<number> {
    return (await this.#session(owner)).id;
  }

  userId(owner: SampleFor['owner']): number {
    return this.#sandbox.seeded.users[owner].user;
  }

  /** Places a resting order far from the market price. */
  async restingOrder(owner: SampleFor['owner']): Promise<string> {
    return (await this.#done(this.client(owner).post('/order', limitOrder()))).id;
  }

  /** Places two orders that match. */
  async trade(): Promise<void> {
    const sell = { ...limitOrder(), side: 'sell', price: 60_000 };
    await this.#done(this.client('alice').post('/order', sell));
    await this.#done(this.client('bob').post('/order', { ...sell, side: 'buy' }));
  }

  async withdrawal(owner: SampleFor['owner']): Promise<{ id: number; transaction_id: string }> {
    return this.#done(this.client(owner).post('/user/withdrawal', withdrawal()));
  }

  /** Creates a deposit that is pending an operator's review. */
  async waitingDeposit(): Promise<string> {
    const transaction_id = randomUUID();
    const body = { ...mint(this.userId('alice')), transaction_id, status: false };
    await this.#done(this.client('admin').post('/admin/mint', body));
    return transaction_id;
  }

  /** Adds an address that a user can get. */
  async depositAddress(): Promise<void> {
    const currency = 'btc';
    await this.registry.query('delete from wallets where currency = $1', [currency]);
    await this.registry.query('delete from manual_addresses');
    const given = { currency, network: 'btc', address: BITCOIN_ADDRESS, hasMemo: false };
    const added = await addManualAddress(this.registry, given);
    if (added !== 'added') throw new Error(`address refused: ${added}`);
  }

  async quoteToken(owner: SampleFor['owner']): Promise<string> {
    await this.offer(owner === 'bob' ? 'alice' : 'bob');
    return (await this.#done(this.client(owner).get('/quick-trade', quoteQuery()))).token;
  }

  /** Places an offer to trade with. Resolves when quotes can be based on it. */
  async offer(owner: SampleFor['owner']): Promise<void> {
    const offer = { ...limitOrder(), side: 'sell', price: OFFER_PRICE, size: 0.01 };
    await this.#done(this.client(owner).post('/order', offer));
    await waitUntil({
      what: 'the offer is in the book that quotes are based on',
      timeoutMs: 30_000,
      question: async () => {
        const { body, status, text } = await this.client(owner).get('/quick-trade', quoteQuery());
        if (status >= 500) throw new Error(text);
        // The depth behind quotes can be a second old and contain removed orders.
        return status === 200 && body.spending_amount === OFFER_PRICE * QUOTED_SIZE;
      },
    });
  }

  async #session(owner: SampleFor['owner']): Promise<SessionOfSample> {
    const known = this.#sessions.get(owner);
    const isLive = known !== undefined && (await this.#isLive(known.id));
    return isLive ? known : this.#newSession(owner);
  }

  async #newSession(owner: SampleFor['owner']): Promise<SessionOfSample> {
    const { user } = this.#sandbox.seeded.users[owner];
    const scopes = owner === 'admin' ? ['user', 'admin'] : ['user'];
    const { session, token } = await this.#sandbox.admin.issueSession({ user, scopes });
    const made = { id: session.id, token };
    this.#sessions.set(owner, made);
    return made;
  }

  /** Some samples close sessions. */
  async #isLive(session: number): Promise<boolean> {
    const { rows } = await this.registry.query(
      `select from sessions s join users u on u.id = s.user_id
       where s.id = $1 and s.revoked_at is null and s.security_version = u.security_version
         and not ${sessionHasEnded('s')}`,
      [session],
    );
    return rows.length === 1;
  }

  async #done(asked: ReturnType<RestClient['get']>) {
    const answer = await asked;
    if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`);
    return answer.body;
  }
}

function limitOrder() {
  return { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.001, price: FAR_PRICE };
}

function withdrawal() {
  return {
    currency: 'btc',
    amount: 0.01,
    address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    network: 'btc',
  };
}

function quoteQuery() {
  return { spending_currency: 'usdt', receiving_currency: 'btc', receiving_amount: QUOTED_SIZE };
}

function mint(user_id: number) {
  return { user_id, currency: 'eur', amount: 25 };
}

function chartRange() {
  const to = Math.floor(Date.now() / 1_000);
  return { from: to - day, to };
}

const ofSymbol: MakeSample = () => ({ query: { symbol: 'btc-usdt' } });

/** Routes that need parameters or a body. The others are called without. */
const madeSamples: Readonly<Partial<Record<RouteName, MakeSample>>> = {
  getTicker: ofSymbol,
  getOrderBook: ofSymbol,
  getAuction: ofSymbol,
  getTrades: ofSymbol,
  getTradesHistory: ofSymbol,
  getChart: () => ({ query: { symbol: 'btc-usdt', resolution: '60', ...chartRange() } }),
  getCharts: () => ({ query: { resolution: '1D', ...chartRange() } }),
  getMiniCharts: () => ({ query: { assets: 'btc,eur', quote: 'usdt' } }),
  getOraclePrices: () => ({ query: { assets: 'btc,eur', quote: 'usdt', amount: 2 } }),
  getUdfHistory: () => ({ query: { symbol: 'btc-usdt', resolution: '1D', ...chartRange() } }),
  getUdfSymbol: ofSymbol,
  getUdfSearch: () => ({ query: { query: 'btc', limit: 10 } }),
  getUserTrades: ofSymbol,
  getDeposits: () => ({ query: { currency: 'btc' } }),
  getWithdrawals: () => ({ query: { currency: 'btc' } }),
  getWithdrawalFee: () => ({ query: { currency: 'btc' } }),
  getWithdrawalMax: () => ({ query: { currency: 'btc', network: 'btc' } }),
  createWithdrawal: () => ({ body: withdrawal() }),
  cancelWithdrawal: async (world, { owner }) => ({
    query: { id: (await world.withdrawal(owner)).id },
  }),
  getOrders: () => ({ query: { symbol: 'btc-usdt', open: true } }),
  getOrder: async (world, { owner }) => ({ query: { order_id: await world.restingOrder(owner) } }),
  createOrder: () => ({ body: limitOrder() }),
  testOrder: () => ({ body: limitOrder() }),
  amendOrder: async (world, { owner }) => ({
    body: { order_id: await world.restingOrder(owner), size: 0.0005 },
  }),
  cancelOrder: async (world, { owner }) => ({
    query: { order_id: await world.restingOrder(owner) },
  }),
  cancelOrdersOfMarket: ofSymbol,
  createOrders: () => ({ body: { orders: [limitOrder(), limitOrder()] } }),
  cancelOrders: async (world, { owner }) => ({
    query: { order_ids: await world.restingOrder(owner) },
  }),
  setDeadManSwitch: () => ({ body: { timeout: 0 } }),
  getQuote: async (world) => {
    await world.offer('bob');
    return { query: quoteQuery() };
  },
  executeQuote: async (world, { owner }) => ({ body: { token: await world.quoteToken(owner) } }),
  creditDeposit: (world) => ({ body: mint(world.userId('alice')) }),
  reviewDeposit: async (world) => ({
    body: { transaction_id: await world.waitingDeposit(), status: true },
  }),
  reviewWithdrawal: async (world) => ({
    body: {
      transaction_id: (await world.withdrawal('alice')).transaction_id,
      updated_transaction_id: randomUUID(),
      status: true,
    },
  }),
  ...operatorMoneySamples,
  ...loginSamples,
  ...factorSamples,
  ...accountSamples,
  ...approvalSamples,
  ...peopleSamples,
  ...bankAccountSamples,
  ...marketSamples,
  createAddress: async (world) => {
    await world.depositAddress();
    return { query: { crypto: 'btc', network: 'btc' } };
  },
  checkTransaction: async (world) => ({
    query: {
      currency: 'eur',
      transaction_id: await world.waitingDeposit(),
      address: 'none',
      network: 'fiat',
    },
  }),
  sendSupportMessage: async (world) => {
    await world.registry.query('delete from support_messages');
    return {
      body: {
        email: 'someone@example.com',
        category: 'deposits',
        subject: 'Where is it?',
        description: 'I sent one bitcoin.\nIt is not here.',
      },
    };
  },
  ...operatorListSamples,
  ...ledgerSamples,
  ...liabilitySamples,
  ...healthSamples,
  ...referralSamples,
  ...setUpSamples,
  ...auditSamples,
  ...signUpSamples,
  ...stakingSamples,
  ...subAccountSamples,
  ...surveillanceSamples,
  ...userActSamples,
  ...withdrawalSamples,
  signForDevelopment: () => ({
    body: { secret: 'hush', method: 'GET', path: '/v2/user', expires: 1_800_000_000 },
  }),
};

export async function sampleOf(
  name: RouteName,
  world: SampleWorld,
  wanted: SampleFor,
): Promise<Sample> {
  // Another sample might have left team mode on, in which actions need approval.
  const route: Route = routes[name];
  if (route.mayWait === true) await useSolo(world.registry);
  return (await madeSamples[name]?.(world, wanted)) ?? {};
}
