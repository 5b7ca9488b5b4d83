// The leader is killed under load, and clients see it through the gateway only: every order that
// was answered is there once, one whose outcome was unknown is there once or not at all, and a
// retry with the same client order id never makes a second.

import { setTimeout as delay } from 'node:timers/promises';
import { RialtoClient } from '../../../client/index.ts';
import { percentile } from '../../../tools/percentile.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import type { Trader } from '../../../tools/sandbox/traders.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { fillBooks } from './fill-books.ts';
import { type Placed, Placer } from './placer.ts';

const TRADERS = 16;
const KILLS = { full: 5, quick: 1 };
/** Undisturbed trading before each kill, and after the last. */
const BETWEEN_KILLS_MS = 3_000;
const RECOVERS_WITHIN_MS = 30_000;
/** Orders that are open before the first kill. */
const OPEN_ORDERS = Number(process.env.RIALTO_OPEN_ORDERS ?? 0);

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const kills = quick ? KILLS.quick : KILLS.full;
  const sandbox = await startSandbox({ gateways: 2, checkAnswers: false });
  try {
    await fillBooks(sandbox, OPEN_ORDERS);
    const traders = await sandbox.createTraders({ count: TRADERS });
    const placers = traders.map((trader, at) => new Placer(trader, sandbox.urls[at % 2], at));
    const placing = Promise.all(placers.map((placer) => placer.placeUntilStopped()));
    let statesCompared = 0;
    for (let kill = 1; kill <= kills; kill += 1) {
      await delay(BETWEEN_KILLS_MS);
      statesCompared += await compareStates(sandbox);
      await killLeader(sandbox, placers);
    }
    await delay(BETWEEN_KILLS_MS);
    statesCompared += await compareStates(sandbox);
    for (const placer of placers) placer.stop();
    await placing;
    const judged = await judge(sandbox, traders, placers, kills);
    return { ...judged, openOrders: OPEN_ORDERS, statesCompared };
  } finally {
    await sandbox.stop();
  }
}

/**
 * Waits until another sequencer leads and orders are answered again; then restarts the killed one.
 */
export async function killLeader(sandbox: Sandbox, placers: readonly Placer[]): Promise<void> {
  const leader = await leaderOf(sandbox);
  const answeredBefore = answered(placers);
  await leader.kill('SIGKILL');
  await waitUntil({
    what: 'orders are answered again',
    timeoutMs: RECOVERS_WITHIN_MS,
    question: () => answered(placers) > answeredBefore + TRADERS,
  });
  await leader.start();
}

/** Waits until the standby has compared its state with the leader's, and returns how often. */
export async function compareStates(sandbox: Sandbox): Promise<number> {
  let compared = 0;
  await waitUntil({
    what: 'the standby has compared its state',
    timeoutMs: RECOVERS_WITHIN_MS,
    question: async () => {
      compared = 0;
      for (const sequencer of sequencersOf(sandbox)) {
        const metrics = await fetch(`${sequencer.healthUrl}/metrics`).then((got) => got.text());
        const isLeader = /^rialto_sequencer_leads 1/m.test(metrics);
        const count = /^rialto_sequencer_states_compared_total (\d+)/m.exec(metrics)?.[1];
        if (!isLeader) compared += Number(count);
      }
      return compared > 0;
    },
  });
  return compared;
}

export function sequencersOf(sandbox: Sandbox) {
  return sandbox.services.filter(({ name }) => name.startsWith('sequencer'));
}

export async function leaderOf(sandbox: Sandbox) {
  const sequencers = sequencersOf(sandbox);
  let found = sequencers[0];
  await waitUntil({
    what: 'a sequencer leads',
    timeoutMs: RECOVERS_WITHIN_MS,
    question: async () => {
      for (const sequencer of sequencers) {
        // A process that has become the leader leads until it exits.
        const metrics = await fetch(`${sequencer.healthUrl}/metrics`).then((got) => got.text());
        if (!/^rialto_sequencer_takeovers_total [1-9]/m.test(metrics)) continue;
        found = sequencer;
        return true;
      }
      return false;
    },
  });
  return found;
}

function answered(placers: readonly Placer[]): number {
  return placers.reduce((sum, { placed }) => sum + placed.length, 0);
}

export async function judge(
  sandbox: Sandbox,
  traders: readonly Trader[],
  placers: readonly Placer[],
  kills: number,
): Promise<Record<string, unknown>> {
  const tally = { lost: 0, doubled: 0, wrong: 0 };
  for (const [at, { key, secret }] of traders.entries()) {
    const client = new RialtoClient({ url: sandbox.url, key, secret });
    const { data } = await client.getOrders({ format: 'all' });
    compare(tally, placers[at].placed, placers[at].sentIds, data);
  }
  const all = placers.flatMap(({ placed }) => placed);
  const tookMs = all.map(({ answeredMs, sentMs }) => answeredMs - sentMs);
  const errors = placers.reduce((sum, placer) => sum + placer.errors, 0);
  const requests = placers.reduce((sum, placer) => sum + placer.requests, 0);
  if (tally.lost + tally.doubled + tally.wrong > 0) process.exitCode = 1;
  return {
    kills,
    acknowledged: all.length,
    ...tally,
    requests,
    errors,
    errorRate: Number((errors / requests).toFixed(6)),
    longestGapMs: Math.round(longestGap(all.map(({ answeredMs }) => answeredMs))),
    p50Ms: percentile(tookMs, 50),
    p99Ms: percentile(tookMs, 99),
  };
}

interface ListedOrder {
  readonly id: string;
  readonly client_order_id?: string;
}

function compare(
  tally: { lost: number; doubled: number; wrong: number },
  placed: readonly Placed[],
  sentIds: ReadonlySet<string>,
  listed: readonly ListedOrder[],
): void {
  const ids = new Map<string, string>();
  for (const { client_order_id = '', id } of listed) {
    if (ids.has(client_order_id)) tally.doubled += 1;
    if (!sentIds.has(client_order_id)) tally.wrong += 1;
    ids.set(client_order_id, id);
  }
  for (const { clientOrderId, id } of placed) {
    const found = ids.get(clientOrderId);
    if (found === undefined) tally.lost += 1;
    else if (found !== id) tally.wrong += 1;
  }
}

function longestGap(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted.reduce((gap, time, at) => (at === 0 ? 0 : Math.max(gap, time - sorted[at - 1])), 0);
}
