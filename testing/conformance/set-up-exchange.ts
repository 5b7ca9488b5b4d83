// From an empty server to an exchange with markets and two traders, like its first administrator
// does it: calls in a session, and server tools for keys, addresses and the referral program.

import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { ADMINISTRATOR, Caller, firstAdministrator } from '../operators/first-administrator.ts';
import { COINS, MARKET, PASSWORD, PRICE, QUIET_MARKET } from './scene.ts';
import type { Key, Target } from './target.ts';

export interface EmptyServer {
  /** Serves users and operators. Excludes `/v2`. */
  readonly url: string;
  readonly streamUrl: string;
  /** Log of the gateway that prints the first administrator's token. */
  readonly logFile: string;
  /** Environment of the server tools. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const ROOT = resolve(import.meta.dirname, '../..');
const WITHIN_MS = 60_000;
const execute = promisify(execFile);
const fee = (value: number, symbol: string) => ({ value, symbol, active: true, type: 'static' });
const OPEN = { allow_deposit: true, allow_withdrawal: true, active: true };

const LISTED = [
  {
    symbol: 'btc',
    fullname: 'Bitcoin',
    decimals: 8,
    issuance_cap: 1_000_000,
    estimated_price: PRICE,
    type: 'blockchain',
    network: 'btc',
    withdrawal_fee: 0.0005,
    withdrawal_fees: { btc: { ...fee(0.0005, 'btc'), min: 0.001, max: 100 } },
    min: 0.001,
    max: 100,
  },
  {
    symbol: 'usdt',
    fullname: 'Tether',
    decimals: 6,
    issuance_cap: 1_000_000_000,
    estimated_price: 1,
    type: 'blockchain',
    network: 'eth,trx',
    withdrawal_fee: 5,
    withdrawal_fees: {
      eth: { ...fee(5, 'usdt'), min: 10, max: 1_000_000 },
      trx: { ...fee(1, 'usdt'), min: 10, max: 1_000_000 },
    },
    min: 10,
    max: 1_000_000,
  },
  {
    symbol: 'eur',
    fullname: 'Euro',
    decimals: 6,
    issuance_cap: 1_000_000_000,
    estimated_price: 1.08,
    type: 'fiat',
    withdrawal_fee: 1,
    min: 10,
    max: 1_000_000,
  },
];

const PAIR = {
  increment_size: 0.0001,
  increment_price: 0.01,
  max_size: 1_000,
  max_price: 1_000_000,
  status: 'full',
};

/** Deposit addresses: more for each network than the suite assigns. */
const ADDRESSES = {
  btc: ['bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'],
  eth: ['0x8617e340b3d01fa5f11f306f4090fd50e238070d', '0xde709f2102306220921060314715629080e2fb77'],
} as const;

export interface SetUp {
  readonly target: Target;
  /** Session of the first administrator. */
  readonly session: Caller;
}

export async function setUpExchange(server: EmptyServer): Promise<SetUp> {
  const { streamUrl, url } = server;
  const admin = await firstAdministrator({
    url,
    logFile: server.logFile,
    signUp: (token) => new Caller(url).send('POST', '/admin/signup', { ...ADMINISTRATOR, token }),
  });
  await listMarkets(admin, url);
  for (const currency of COINS) {
    const limit = { tier: 1, currency, limit_currency: currency, type: 'withdrawal' };
    const amounts = { amount: 1_000_000, monthly_amount: 10_000_000 };
    await admin.send('PUT', '/admin/transaction/limit', { ...limit, ...amounts });
  }
  for (const name of ['shelf', 'row']) {
    const meta = { name, type: 'string', required: false, description: 'A test.' };
    await admin.send('POST', '/admin/kit/user-meta', meta);
  }
  for (const name of ['maker', 'taker']) {
    const user = { email: `${name}@example.com`, password: PASSWORD };
    await admin.send('POST', '/admin/user', user);
  }
  for (const [network, addresses] of Object.entries(ADDRESSES)) {
    const currency = network === 'btc' ? 'btc' : 'usdt';
    for (const address of addresses) {
      const words = ['--currency', currency, '--network', network, '--address', address];
      await runTool(server, 'operate', ['address', 'add', ...words]);
    }
  }
  const { id } = await admin.send('GET', '/user');
  const referral = ['--currency', 'usdt', '--rate', '20', '--minimum', '1', '--user', String(id)];
  await runTool(server, 'operate', ['referral', 'on', ...referral]);
  const target = {
    url,
    streamUrl,
    admin: await issueKey(server, ADMINISTRATOR.email, ['--role', 'admin']),
    maker: await issueKey(server, 'maker@example.com'),
    taker: await issueKey(server, 'taker@example.com'),
  };
  return { target, session: admin };
}

async function listMarkets(admin: Caller, url: string): Promise<void> {
  for (const coin of LISTED) await admin.send('POST', '/admin/coin', { ...coin, ...OPEN });
  for (const name of [MARKET, QUIET_MARKET]) {
    const [pair_base, pair_2] = name.split('-');
    const estimated_price = name === MARKET ? PRICE : 0.9 * PRICE;
    await admin.send('POST', '/admin/pair', { ...PAIR, name, pair_base, pair_2, estimated_price });
    await admin.send('PUT', '/admin/quicktrade/config', { symbol: name, active: true });
  }
  await waitUntil({
    what: 'the markets are open',
    timeoutMs: WITHIN_MS,
    question: async () => {
      const { pairs } = await new Caller(url).send('GET', '/constants');
      return [MARKET, QUIET_MARKET].every((name) => pairs[name]?.status === 'full');
    },
  });
}

/** Runs `rialto key create`. */
async function issueKey(
  server: EmptyServer,
  email: string,
  more: readonly string[] = [],
): Promise<Key> {
  const words = ['--user', email, '--name', 'suite', '--trade', '--withdraw', '--ips', '127.0.0.1'];
  const printed = await runTool(server, 'keys', ['create', ...words, ...more]);
  const find = (name: string) => new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(printed)?.[1] ?? '';
  const [key, secret] = [find('key'), find('secret')];
  if (key === '' || secret === '') throw new Error(`no key in: ${printed}`);
  return { key, secret };
}

async function runTool(
  { environment }: EmptyServer,
  tool: string,
  words: readonly string[],
): Promise<string> {
  const program = join(ROOT, 'tools', tool, 'main.ts');
  const env = { PATH: process.env.PATH, ...environment };
  const { stdout } = await execute(process.execPath, [program, ...words], { env });
  return stdout;
}
