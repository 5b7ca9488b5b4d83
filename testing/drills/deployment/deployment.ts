// An exchange on three machines, laid out by `rialto init` in network namespaces, with TLS between
// all of them. Machines, networks, disks, clocks and PostgreSQL fail under load. The results come
// from honest clients: nothing acknowledged is lost or duplicated, and each outage is timed.

import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { Availability, KINDS, type Kind } from './availability.ts';
import { type DeploymentFault, FAULTS, QUICK_FAULTS } from './faults.ts';
import { HonestClient } from './honest-client.ts';
import { judge } from './judge.ts';
import { DeploymentStage } from './stage.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const EXIT_INTERRUPTED = 130;
const CLIENTS = 4;
/** One per gateway. */
const QUICK_CLIENTS = 2;
const CALM_MS = 3_000;
const RECOVERS_WITHIN_MS = 180_000;
/** Successes of each kind after which a fault counts as over. */
const RESUMED: Record<Kind, number> = { orders: 20, reads: 8, streams: 8, withdrawals: 4 };

interface FaultResult {
  readonly fault: string;
  readonly operator: string;
  /** Milliseconds until the operator has acted; 0 if no action is needed. */
  readonly operatorMs: number;
  /** Longest time without a success, by kind. */
  readonly unavailableMs: Readonly<Record<Kind, number>>;
}

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const stage = new DeploymentStage({ quick });
  const clients: HonestClient[] = [];
  const startedMs = performance.now();
  const endAtOnce = () => void stage.close().finally(() => process.exit(EXIT_INTERRUPTED));
  for (const signal of SIGNALS) process.once(signal, endAtOnce);
  try {
    const people = await stage.open(quick ? QUICK_CLIENTS : CLIENTS);
    const openedMs = performance.now() - startedMs;
    console.log(`three machines run after ${Math.round(openedMs)} ms`);
    const availability = new Availability();
    const { urls } = stage;
    for (const [at, person] of people.entries()) {
      clients.push(new HonestClient({ person, urls, home: at % urls.length, availability }));
    }
    const working = Promise.all(clients.map((client) => client.work()));
    await resumed(availability, performance.now());
    const results: FaultResult[] = [];
    const faults = chosen(quick).filter((fault) => fault.isPossible?.(stage) ?? true);
    for (const fault of faults) {
      await delay(quick ? 0 : CALM_MS);
      results.push(await strike(fault, stage, availability));
      console.log(JSON.stringify(results.at(-1)));
      if (!quick) await stage.untilWhole();
    }
    for (const client of clients) client.stop();
    await working;
    const { examples, ...verdict } = await judge(stage.urls[1], clients);
    const refusals = clients.flatMap((client) => client.refusals);
    for (const line of [...examples, ...new Set(refusals)]) console.error(line);
    const { doubled, lost, unstreamed, wrong } = verdict;
    if (lost + doubled + wrong + unstreamed + refusals.length > 0) process.exitCode = 1;
    return {
      faults: results.length,
      leftOut: chosen(quick).length - faults.length,
      ...verdict,
      refused: refusals.length,
      seconds: Math.round((performance.now() - startedMs) / 1_000),
      results,
    };
  } finally {
    for (const client of clients) client.close();
    for (const signal of SIGNALS) process.removeListener(signal, endAtOnce);
    await stage.close();
  }
}

/** `RIALTO_FAULTS=m1,clock` runs only faults whose names contain one of these. */
function chosen(quick: boolean): readonly DeploymentFault[] {
  const words = process.env.RIALTO_FAULTS?.split(',');
  if (words !== undefined) return FAULTS.filter(({ name }) => words.some((w) => name.includes(w)));
  return quick ? QUICK_FAULTS : FAULTS;
}

async function strike(
  { name, operator, strike: begin }: DeploymentFault,
  stage: DeploymentStage,
  availability: Availability,
): Promise<FaultResult> {
  const sinceMs = performance.now();
  let operatorMs = 0;
  await begin(stage, () => {
    operatorMs = Math.round(performance.now() - sinceMs);
  });
  await resumed(availability, performance.now());
  const gaps = KINDS.map((kind) => [kind, Math.round(availability.longestGapMs(kind, sinceMs))]);
  const unavailableMs = Object.fromEntries(gaps) as FaultResult['unavailableMs'];
  return { fault: name, operator, operatorMs, unavailableMs };
}

async function resumed(availability: Availability, sinceMs: number): Promise<void> {
  const missing = () =>
    KINDS.filter((kind) => availability.countSince(kind, sinceMs) < RESUMED[kind]);
  try {
    await waitUntil({
      what: 'clients can do everything again',
      timeoutMs: RECOVERS_WITHIN_MS,
      question: () => missing().length === 0,
    });
  } catch (cause) {
    throw new Error(`unavailable: ${missing().join(', ')}`, { cause });
  }
}
