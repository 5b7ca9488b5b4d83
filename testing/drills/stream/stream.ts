// Repeatedly kills every process between an event and a client, under load: the websocket gateways,
// the publisher, the leading sequencer. Fifty clients build their accounts from the stream alone,
// and at the end each must match REST. A missing, repeated or changed message is a failure.

import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import type { SandboxService } from '../../../tools/sandbox/sandbox-service.ts';
import type { Trader } from '../../../tools/sandbox/traders.ts';
import { chosenSeed, Random } from '../../flows/index.ts';
import { findLeader } from '../harness/sequencers.ts';
import { type FollowerTally, newTally } from './follower-tally.ts';
import { OrderFlow } from './order-flow.ts';
import { PackageFollower } from './package-follower.ts';
import { PrivateFollower } from './private-follower.ts';

const CLIENTS = 50;
const KILLS = { full: 50, quick: 6 };
/** Time between two kills, and how long the killed process stays down. */
const BETWEEN_MS = { full: 2_000, quick: 1_300 };
const AWAY_MS = 300;
const EQUAL_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 250;
const EXAMPLES_MAX = 20;

interface Crowd {
  readonly traders: readonly Trader[];
  readonly followers: readonly (PrivateFollower | PackageFollower)[];
  readonly flows: readonly OrderFlow[];
  readonly tally: FollowerTally;
}

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const kills = quick ? KILLS.quick : KILLS.full;
  const startMs = performance.now();
  const seed = chosenSeed();
  const sandbox = await startSandbox({
    gateways: 2,
    streams: 2,
    checkAnswers: false,
    logLevel: 'warn',
  });
  const crowd = await gather(sandbox, seed);
  try {
    const trading = Promise.all(crowd.flows.map((flow) => flow.run()));
    const killed = await killAround(sandbox, {
      kills,
      random: new Random(seed),
      betweenMs: quick ? BETWEEN_MS.quick : BETWEEN_MS.full,
    });
    for (const flow of crowd.flows) flow.stop();
    await trading;
    const wrong = await untilEqual(sandbox, crowd);
    return judge(crowd, wrong, { seed, kills, killed, startMs });
  } finally {
    for (const follower of crowd.followers) follower.stop();
    await sandbox.stop();
  }
}

async function gather(sandbox: Sandbox, seed: number): Promise<Crowd> {
  const traders = await sandbox.createTraders({ count: CLIENTS });
  const tally = newTally();
  const { streamUrls: urls } = sandbox;
  // Alternates between a checking client and one with the published package, at either gateway.
  const followers = traders.map(({ key, secret }, at) => {
    const from = Math.floor(at / 2) % urls.length;
    const options = { urls: [...urls.slice(from), ...urls.slice(0, from)], key, secret, tally };
    return at % 2 === 0 ? new PrivateFollower(options) : new PackageFollower(options);
  });
  const flows = traders.map(
    (trader, at) => new OrderFlow(trader, sandbox.urls[at % sandbox.urls.length], seed + at),
  );
  return { traders, followers, flows, tally };
}

/** Kills processes with -9 at random and restarts them soon, like a supervisor. */
async function killAround(
  sandbox: Sandbox,
  { betweenMs, kills, random }: { kills: number; betweenMs: number; random: Random },
): Promise<Record<string, number>> {
  const killed: Record<string, number> = { gateway: 0, publisher: 0, sequencer: 0 };
  const kinds = ['gateway', 'gateway', 'publisher', 'sequencer'];
  const away = new Set<SandboxService>();
  const returning: Promise<void>[] = [];
  const total = () => Object.values(killed).reduce((sum, count) => sum + count, 0);
  while (total() < kills) {
    await delay(betweenMs);
    const kind = random.pick(kinds);
    // Every other gateway is killed alone, so its clients can resume immediately.
    if (kind === 'gateway' && killed.gateway % 2 === 0) await Promise.all(returning);
    const service = await findVictim(sandbox, kind, random);
    // One sequencer and one gateway stay up, so trading and streaming remain possible.
    if (service === undefined || [...away].some(({ name }) => isOfKind(name, kind))) continue;
    away.add(service);
    await service.kill('SIGKILL');
    killed[kind] += 1;
    returning.push(
      delay(AWAY_MS)
        .then(() => service.start())
        .then(() => void away.delete(service)),
    );
  }
  await Promise.all(returning);
  return killed;
}

function isOfKind(name: string, kind: string): boolean {
  return name.startsWith(kind === 'gateway' ? 'gateway-websocket' : kind);
}

async function findVictim(
  sandbox: Sandbox,
  kind: string,
  random: Random,
): Promise<SandboxService | undefined> {
  if (kind === 'sequencer') return findLeader(sandbox);
  return random.pick(sandbox.services.filter(({ name }) => isOfKind(name, kind)));
}

/** Polls until every client matches REST; returns the differences after the time limit. */
async function untilEqual(sandbox: Sandbox, { followers, traders }: Crowd): Promise<string[]> {
  const deadlineMs = performance.now() + EQUAL_WITHIN_MS;
  let left = traders.map((trader, at) => ({ trader, follower: followers[at] }));
  let wrong: string[] = [];
  for (;;) {
    wrong = [];
    const unequal: typeof left = [];
    for (const one of left) {
      const { follower, trader } = one;
      const client = new RestClient({ url: sandbox.url, key: trader.key, secret: trader.secret });
      const differing = await follower.book.compare(client).catch((fault) => [String(fault)]);
      if (differing.length === 0) continue;
      unequal.push(one);
      wrong.push(...differing.map((line) => `${trader.email} at ${follower.sequence}: ${line}`));
    }
    left = unequal;
    if (left.length === 0 || performance.now() > deadlineMs) return wrong;
    await delay(LOOK_EVERY_MS);
  }
}

function judge(
  { flows, tally }: Crowd,
  wrong: readonly string[],
  run: { seed: number; kills: number; killed: Record<string, number>; startMs: number },
): Record<string, unknown> {
  const { examples, ...counts } = tally;
  for (const line of [...wrong, ...examples].slice(0, EXAMPLES_MAX)) console.error(line);
  const isSound =
    wrong.length === 0 && tally.gaps + tally.duplicates + tally.checksumFailures === 0;
  // A drill without a single reconnect has not tested anything.
  if (!isSound || tally.resumed === 0) process.exitCode = 1;
  return {
    clients: CLIENTS,
    kills: run.kills,
    killed: run.killed,
    ...counts,
    unequal: wrong.length,
    seed: run.seed,
    orders: flows.reduce((sum, { placed }) => sum + placed, 0),
    seconds: Math.round((performance.now() - run.startMs) / 1_000),
  };
}
