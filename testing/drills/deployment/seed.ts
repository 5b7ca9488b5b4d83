// Sets up an empty exchange with a market and users like an operator: through the API of the
// operators' gateway, and with `rialto key` on the database machine.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { ADMINISTRATOR, Caller, firstAdministrator } from '../../operators/first-administrator.ts';
import type { DrillMachine } from './machine.ts';

export interface Person {
  readonly id: number;
  readonly key: string;
  readonly secret: string;
}

export interface SeedOptions {
  /** URL of the operators' gateway. */
  readonly url: string;
  /** Its log contains the token of the first administrator. */
  readonly logFile: string;
  /** Machine of the primary, where `rialto key` runs. */
  readonly machine: DrillMachine;
  readonly command: readonly string[];
  readonly people: number;
}

const PASSWORD = 'lanterns over the canal';
const WITHIN_MS = 60_000;
export const PRICE = 1;
/** In total below the value up to which a single administrator can set up an exchange. */
const MINT = { btc: 50, usdt: 50 };
const ROOT = resolve(import.meta.dirname, '../../..');

export async function seedExchange(options: SeedOptions): Promise<readonly Person[]> {
  const { url } = options;
  const admin = await firstAdministrator({
    url,
    logFile: options.logFile,
    signUp: (token) => new Caller(url).send('POST', '/admin/signup', { ...ADMINISTRATOR, token }),
  });
  const fees = {
    btc: { value: 0, symbol: 'btc', active: true, type: 'static', min: 0.001, max: 5 },
  };
  const coins = [
    {
      symbol: 'usdt',
      fullname: 'Tether',
      decimals: 6,
      issuance_cap: 1_000_000,
      estimated_price: 1,
    },
    {
      symbol: 'btc',
      fullname: 'Bitcoin',
      estimated_price: PRICE,
      network: 'btc',
      withdrawal_fee: 0,
      withdrawal_fees: fees,
      min: 0.001,
      max: 5,
    },
  ];
  for (const coin of coins) {
    const type = coin.symbol === 'btc' ? 'blockchain' : 'other';
    const allowed = { allow_deposit: true, allow_withdrawal: true };
    await admin.send('POST', '/admin/coin', { ...coin, ...allowed, type });
  }
  await admin.send('POST', '/admin/pair', {
    name: 'btc-usdt',
    pair_base: 'btc',
    pair_2: 'usdt',
    increment_size: 0.0001,
    increment_price: 0.01,
    max_size: 1_000,
    max_price: 1_000_000,
    estimated_price: PRICE,
  });
  await admin.send('PUT', '/admin/pair/fees', {
    pair: 'btc-usdt',
    fees: { 1: { maker: 0, taker: 0 } },
  });
  await allowWithdrawals(admin);
  const people: Person[] = [];
  for (let at = 1; at <= options.people; at += 1) people.push(await personAt(admin, at, options));
  await admin.send('PUT', '/admin/pair', { code: 'btc-usdt', status: 'full' });
  await waitUntil({
    what: 'the market is open',
    timeoutMs: WITHIN_MS,
    question: async () =>
      (await new Caller(url).send('GET', '/constants')).pairs['btc-usdt']?.status === 'full',
  });
  return people;
}

async function allowWithdrawals(admin: Caller): Promise<void> {
  await admin.send('PUT', '/admin/transaction/limit', {
    tier: 1,
    currency: 'btc',
    type: 'withdrawal',
    amount: 10_000,
    monthly_amount: 100_000,
  });
}

async function personAt(admin: Caller, at: number, options: SeedOptions): Promise<Person> {
  const email = `trader${at}@example.com`;
  const { id } = await admin.send('POST', '/admin/user', { email, password: PASSWORD });
  for (const [currency, amount] of Object.entries(MINT)) {
    await mint(admin, { user_id: id, currency, amount });
  }
  return { id, ...issueKey(email, options) };
}

interface Credit {
  readonly user_id: number;
  readonly currency: string;
  readonly amount: number;
}

/** A gateway other than the one used for the listing might learn of the coin a moment later. */
function mint(admin: Caller, credit: Credit): Promise<void> {
  return waitUntil({
    what: `the gateways know ${credit.currency}`,
    timeoutMs: WITHIN_MS,
    question: async () => {
      try {
        await admin.send('POST', '/admin/mint', credit);
        return true;
      } catch (fault) {
        if (!String(fault).includes('Invalid coin')) throw fault;
        return false;
      }
    },
  });
}

/** `rialto key create`, with the owner's settings. */
function issueKey(email: string, { command, machine }: SeedOptions) {
  const environment = parseEnv(readFileSync(join(machine.etc, 'postgres/owner.env'), 'utf8'));
  const tool = join(ROOT, 'tools/keys/main.ts');
  const words = ['create', '--user', email, '--trade', '--withdraw', '--ips', '127.0.0.1'];
  const [program, ...args] = [...command, process.execPath, tool, ...words];
  const env = { PATH: process.env.PATH, ...environment };
  const printed = execFileSync(program, args, { encoding: 'utf8', env, stdio: 'pipe' });
  const find = (name: string) =>
    new RegExp(`${name}["':\\s]+([^\\s"',]+)`).exec(printed)?.[1] ?? '';
  const [key, secret] = [find('key'), find('secret')];
  if (key === '' || secret === '') throw new Error(`no key in: ${printed}`);
  return { key, secret };
}
