// Runs all floods at the same time against an exchange with 100 markets and honest users. The
// users' requests stay fast, none fails, none of their orders is canceled, and memory stays
// bounded.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '../../../tools/percentile.ts';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import type { Trader } from '../../../tools/sandbox/traders.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { listMoreMarkets } from '../../stream/more-markets.ts';
import type { AttackPlan } from './attackers-main.ts';
import type { BurnPlan } from './burner-main.ts';
import { type Experience, HonestUser } from './honest-user.ts';
import { ProcessorWatch } from './processor-watch.ts';

const MARKETS = 100;
/** Fills of the attacker's account: lists to sort, and files to leave unread. */
const FILLS = { full: 1_000_000, quick: 100_000 };
const HONEST_USERS = 14;
/**
 * Requests per honest user. Enough that the 99th percentile of all users is not a single request.
 */
const WARM_UP_REQUESTS = 40;
const REQUESTS = { full: 750, quick: 150 };
const RATIO_MAX = 3;
/** Growth limit per gateway, in megabytes, above its size before the floods. */
const GROWTH_MB_MAX = 300;
/** The attackers start this long before the honest users are measured. */
const FLOODS_BEFORE_MS = 1_000;
/** Time for the gateways to finish the attackers' leftover work. */
const SETTLE_MS = 1_000;
const SAMPLE_MS = 200;
const FILLED_WITHIN_MS = 20_000;
const ATTACKERS_END_WITHIN_MS = 20_000;
const GATEWAYS = ['gateway-http-1', 'gateway-websocket-1'] as const;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const size = quick ? 'quick' : 'full';
  const sandbox = await startSandbox({
    streams: 1,
    budgets: 'usual',
    checkAnswers: false,
    // Attackers pretend to have their own addresses, like a proxy would report them.
    gatewaySettings: { RIALTO_TRUSTED_PROXIES: 'loopback' },
  });
  const watch = new MemoryWatch(sandbox);
  try {
    await listMoreMarkets(sandbox, MARKETS);
    const [attacker, ...traders] = await sandbox.createTraders({ count: 1 + HONEST_USERS });
    await giveFills(sandbox, attacker, FILLS[size]);
    const honest = await Promise.all(
      traders.map((trader, index) => HonestUser.start(sandbox, trader, `203.0.113.${1 + index}`)),
    );
    await live(honest, WARM_UP_REQUESTS);
    const quiet = await live(honest, REQUESTS[size]);
    watch.start();
    const attack = startAttack(sandbox, attacker);
    await delay(FLOODS_BEFORE_MS);
    const watched = new ProcessorWatch(pidsOf(sandbox, attack.pid));
    const flooded = await live(honest, REQUESTS[size]);
    const cores = watched.cores();
    const attackers = await attack.stop();
    await delay(SETTLE_MS);
    const burner = startBurner(cores.attackers);
    const control = await live(honest, REQUESTS[size]);
    await burner.stop();
    const cancelled = await Promise.all(honest.map((user) => user.cancelledOrders()));
    const honestCancelled = cancelled.reduce((sum, count) => sum + count, 0);
    for (const user of honest) user.stop();
    const found = { quiet, flooded, control, cores, honestCancelled, attackers };
    return judge({ ...found, memory: watch.sizes });
  } finally {
    watch.stop();
    for (const name of GATEWAYS) {
      if (!(await sandbox.service(name).isReady())) console.error(sandbox.logs(name));
    }
    await sandbox.stop();
  }
}

/** Runs all honest users at the same time and returns their combined times. */
async function live(users: readonly HonestUser[], requests: number): Promise<Experience> {
  const lived = await Promise.all(users.map((user) => user.live(requests)));
  return {
    requests: lived.flatMap((one) => one.requests),
    messages: lived.flatMap((one) => one.messages),
    errors: lived.flatMap((one) => one.errors),
  };
}

function judge(found: {
  readonly quiet: Experience;
  readonly flooded: Experience;
  /** Next to a process that uses as much CPU as the attackers, and sends nothing. */
  readonly control: Experience;
  readonly cores: Record<string, number>;
  readonly honestCancelled: number;
  readonly attackers: Record<string, number>;
  readonly memory: Record<string, { readonly beforeMb: number; readonly peakMb: number }>;
}): Record<string, unknown> {
  const { attackers, control, cores, flooded, honestCancelled, memory, quiet } = found;
  const p99 = (values: readonly number[]) => percentile(values, 99);
  const ratio = (one: readonly number[], other: readonly number[]) =>
    Number((p99(one) / p99(other)).toFixed(2));
  const honestP99Ratio = ratio(flooded.requests, quiet.requests);
  const controlP99Ratio = ratio(control.requests, quiet.requests);
  const errors = Object.entries({ quiet, flooded, control }).flatMap(([phase, { errors }]) =>
    errors.map((error) => `${phase}: ${error}`),
  );
  const grown = Object.values(memory).map(({ beforeMb, peakMb }) => peakMb - beforeMb);
  const memoryGrownMb = Math.max(...grown);
  for (const error of errors.slice(0, 10)) console.error(error);
  const isGood =
    honestP99Ratio <= RATIO_MAX &&
    errors.length === 0 &&
    honestCancelled === 0 &&
    memoryGrownMb <= GROWTH_MB_MAX;
  if (!isGood) process.exitCode = 1;
  return {
    honestP99Ratio,
    honestErrors: errors.length,
    honestCancelled,
    controlP99Ratio,
    honestMessageP99Ratio: ratio(flooded.messages, quiet.messages),
    quietP50Ms: percentile(quiet.requests, 50),
    floodedP50Ms: percentile(flooded.requests, 50),
    quietP99Ms: p99(quiet.requests),
    floodedP99Ms: p99(flooded.requests),
    controlP50Ms: percentile(control.requests, 50),
    controlP99Ms: p99(control.requests),
    quietMessageP99Ms: p99(quiet.messages),
    floodedMessageP99Ms: p99(flooded.messages),
    honestRequests: flooded.requests.length,
    memoryGrownMb,
    memory,
    cores,
    attackers,
  };
}

/** Copies one real trade of the attacker many times into the fills table. */
async function giveFills(sandbox: Sandbox, attacker: Trader, count: number): Promise<void> {
  const { bob } = sandbox.seeded.users;
  const order = { symbol: 'btc-usdt', type: 'limit', size: 0.001, price: 60_000 };
  const sells = await new RestClient({ url: sandbox.url, ...bob }).post('/order', {
    ...order,
    side: 'sell',
  });
  const buys = await new RestClient({ url: sandbox.url, ...attacker }).post('/order', {
    ...order,
    side: 'buy',
  });
  if (sells.status >= 300 || buys.status >= 300) throw new Error(`${sells.text} ${buys.text}`);
  const { projections } = sandbox.admin;
  const { user } = attacker;
  await waitUntil({
    what: 'the attacker has a fill',
    timeoutMs: FILLED_WITHIN_MS,
    question: async () =>
      (await projections.query('select 1 from fills where user_id = $1', [user])).rows.length > 0,
  });
  await projections.query(
    `insert into fills
     select user_id, 1000000000 + n, liquidity, market_id, side, price_ticks + n % 1000, size_lots,
       quote_atoms, order_number, fee_asset_id, fee_atoms, quick,
       executed_at - n * interval '1 microsecond'
     from (select * from fills where user_id = $1 limit 1) as one, generate_series(1, $2) as n`,
    [user, count],
  );
}

function pidsOf({ services }: Sandbox, attackers: number): ReadonlyMap<string, number> {
  const own = services.map(({ name, pid = 0 }) => [name, pid] as const);
  return new Map([...own, ['attackers', attackers], ['honest', process.pid]]);
}

/** Starts the attackers in a separate process; `stop` resolves with their counts. */
function startAttack(sandbox: Sandbox, { key, secret }: Trader) {
  const plan: AttackPlan = {
    restUrl: sandbox.url,
    streamUrl: sandbox.streamUrls[0],
    account: { key, secret },
  };
  const { pid, stop } = startProcess('attackers-main.ts', plan);
  return {
    pid,
    async stop(): Promise<Record<string, number>> {
      const line = (await stop()).trim();
      return line === '' ? {} : JSON.parse(line);
    },
  };
}

function startBurner(cores: number) {
  return startProcess('burner-main.ts', { cores } satisfies BurnPlan);
}

/** Starts a program in this folder that runs until its standard input ends. */
function startProcess(program: string, plan: AttackPlan | BurnPlan) {
  const path = join(import.meta.dirname, program);
  const child = spawn(process.execPath, [path, JSON.stringify(plan)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // In a separate session, whose priority it lowers.
    detached: true,
  });
  const printed = text(child.stdout);
  const ended = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    /** Resolves with its output. */
    async stop(): Promise<string> {
      child.stdin.end();
      const late = delay(ATTACKERS_END_WITHIN_MS, 'late', { ref: false });
      if ((await Promise.race([ended, late])) === 'late') child.kill('SIGKILL');
      return printed;
    },
  };
}

/** Resident memory of the gateways: at the start, and the maximum since. */
class MemoryWatch {
  readonly sizes: Record<string, { readonly beforeMb: number; peakMb: number }> = {};
  readonly #sandbox: Sandbox;
  #timer: NodeJS.Timeout | undefined;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  start(): void {
    for (const name of GATEWAYS) {
      const beforeMb = residentMb(this.#sandbox, name);
      this.sizes[name] = { beforeMb, peakMb: beforeMb };
    }
    this.#timer = setInterval(() => {
      for (const name of GATEWAYS) {
        const size = this.sizes[name];
        size.peakMb = Math.max(size.peakMb, residentMb(this.#sandbox, name));
      }
    }, SAMPLE_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

function residentMb(sandbox: Sandbox, name: string): number {
  const { pid } = sandbox.service(name);
  // A gateway that exited appears in the errors of the honest user.
  if (pid === undefined) return 0;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
}
