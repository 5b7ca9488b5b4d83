// Logins during trading: offers 50 logins/s to the identity gateway while traders send orders to
// the trading gateway at a steady rate. Hashing runs in a separate low-priority process, so orders
// should hardly slow down; surplus logins are rejected immediately.

import { join } from 'node:path';
import { installPassword, PasswordHasher, type PasswordTag } from '../../../features/auth/index.ts';
import { systemClock } from '../../../infra/process/index.ts';
import { percentile } from '../../percentile.ts';
import { RestClient } from '../../sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { Trader } from '../../sandbox/traders.ts';
import { runProgram } from '../processes.ts';
import { atRate } from './at-rate.ts';
import type { LoginFigures, LoginPlan } from './offerer/main.ts';

interface Sizes {
  readonly forMs: number;
  readonly warmUpMs: number;
  readonly people: number;
}

const FULL: Sizes = { forMs: 20_000, warmUpMs: 3_000, people: 200 };
const QUICK: Sizes = { forMs: 4_000, warmUpMs: 1_000, people: 40 };
const LOGINS_PER_S = 50;
const ORDERS_PER_S = 100;
/** Every tenth login is from a known device. */
const KNOWN_EVERY = 10;
const TRADERS = 8;
const PASSWORD = 'correct horse battery';

interface OrderFigures {
  readonly sent: number;
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const sizes = quick ? QUICK : FULL;
  const sandbox = await startSandbox({
    gateways: 1,
    withIdentity: true,
    checkAnswers: false,
    // Each login has a separate address.
    gatewaySettings: { RIALTO_TRUSTED_PROXIES: 'loopback' },
  });
  try {
    const traders = await sandbox.createTraders({ count: TRADERS });
    const people = await peopleOf(sandbox, sizes.people);
    for (const person of people.filter((_, index) => isKnown(index))) {
      await logIn(sandbox, person, knownAddress(person));
    }
    await sendOrders(sandbox, traders, sizes.warmUpMs);
    const before = await sendOrders(sandbox, traders, sizes.forMs);
    const [loaded, logins] = await Promise.all([
      sendOrders(sandbox, traders, sizes.forMs),
      offerLogins(sandbox, people, sizes.forMs),
    ]);
    const after = await sendOrders(sandbox, traders, sizes.forMs);
    const quietMs = (before.p99Ms + after.p99Ms) / 2;
    const ratio = Math.round((100 * loaded.p99Ms) / quietMs) / 100;
    console.log(`orders quiet ${JSON.stringify(before)}, then ${JSON.stringify(after)}`);
    console.log(`orders during logins ${JSON.stringify(loaded)}`);
    console.log(`logins ${JSON.stringify(logins)}`);
    return { orders: { before, loaded, after, p99Ratio: ratio }, logins };
  } finally {
    await sandbox.stop();
  }
}

async function peopleOf(sandbox: Sandbox, count: number): Promise<readonly Trader[]> {
  const people = await sandbox.createTraders({ count, funds: {} });
  const hasher = new PasswordHasher({ clock: systemClock });
  const tag: PasswordTag = await hasher.hash(PASSWORD, { isKnownDevice: false });
  const { registry, vault } = sandbox.admin;
  for (const { user } of people) await installPassword(registry, vault, user, tag);
  return people;
}

function isKnown(index: number): boolean {
  return index % KNOWN_EVERY === 0;
}

function knownAddress({ user }: Trader): string {
  return `10.1.${(user >> 8) & 255}.${user & 255}`;
}

function logIn(sandbox: Sandbox, { email }: Trader, address: string) {
  return new RestClient({ url: sandbox.service('gateway-identity').url }).send({
    method: 'POST',
    target: '/v2/login',
    body: { email, password: PASSWORD },
    headers: { 'x-forwarded-for': address },
  });
}

function offerLogins(
  sandbox: Sandbox,
  people: readonly Trader[],
  forMs: number,
): Promise<LoginFigures> {
  const plan: LoginPlan = {
    url: sandbox.service('gateway-identity').url,
    password: PASSWORD,
    perSecond: LOGINS_PER_S,
    forMs,
    knownEvery: KNOWN_EVERY,
    people: people.map((one) => ({ email: one.email, knownAddress: knownAddress(one) })),
  };
  const program = join(import.meta.dirname, 'offerer', 'main.ts');
  return runProgram<LoginFigures>(program, [JSON.stringify(plan)]);
}

async function sendOrders(
  sandbox: Sandbox,
  traders: readonly Trader[],
  forMs: number,
): Promise<OrderFigures> {
  const clients = traders.map(
    ({ key, secret }) => new RestClient({ url: sandbox.url, key, secret }),
  );
  const times: number[] = [];
  let failed = 0;
  const sent = await atRate(ORDERS_PER_S, forMs, async (index) => {
    const client = clients[index % clients.length];
    // The price differs, so no two orders have the same signature.
    const price = 40_000 + (index % 1_000);
    const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.001, price };
    const startedMs = performance.now();
    const { status } = await client.post('/order', order);
    if (status === 200) times.push(performance.now() - startedMs);
    else failed += 1;
  });
  for (const client of clients) await client.delete('/orders/all');
  const [p50Ms, p99Ms] = [50, 99].map((percent) => rounded(percentile(times, percent)));
  return { sent, failed, p50Ms, p99Ms };
}

function rounded(ms: number): number {
  return Math.round(10 * ms) / 10;
}
