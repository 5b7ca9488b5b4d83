// Rolling upgrade to a real second release, process by process, while clients trade. Before the
// rules switch both releases compute the same states; afterwards the new rule applies, and the old
// release refuses to run. A release that changes a rule without a version is stopped immediately.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RialtoClient } from '../../../client/index.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import type { SandboxService } from '../../../tools/sandbox/sandbox-service.ts';
import type { Trader } from '../../../tools/sandbox/traders.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { OrderLoad } from '../harness/order-load.ts';
import { compareStates, leaderOf, standbyOf } from '../harness/sequencers.ts';
import { makeRelease, NEXT_RULES, REPOSITORY } from './releases.ts';

const TRADERS = { full: 16, quick: 4 };
const CALM_MS = { full: 10_000, quick: 2_000 };
const WITHIN_MS = 120_000;
const HALTED = /the (state|events) .*differs? from the leader's/;
const REFUSED = /the log has rules version \d+, and this release runs versions/;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const size = quick ? 'quick' : 'full';
  const folder = mkdtempSync(join(tmpdir(), 'rialto-upgrade-'));
  const [next, careless] = [makeRelease('next', folder), makeRelease('careless', folder)];
  const sandbox = await startSandbox({ gateways: 2, checkAnswers: false });
  try {
    const traders = await sandbox.createTraders({ count: TRADERS[size] });
    const load = new OrderLoad(sandbox);
    load.start(traders);
    await delay(CALM_MS[size]);
    const figures = await upgrade(sandbox, load, { careless, next, trader: traders[0] });
    await load.stop();
    const checked = await load.check();
    if (checked.errors !== 0 || !Object.values(figures).every(Boolean)) process.exitCode = 1;
    return { kills: 0, ...checked, failedRequests: checked.errors, ...figures };
  } finally {
    await sandbox.stop();
    rmSync(folder, { recursive: true });
  }
}

interface Releases {
  readonly next: string;
  readonly careless: string;
  readonly trader: Trader;
}

async function upgrade(sandbox: Sandbox, load: OrderLoad, releases: Releases) {
  const { careless, next, trader } = releases;
  const before = await standbyOf(sandbox);
  const carelessHalted = await endsWith(before, careless, HALTED);
  console.log(`a release with another rule and the same version: ${carelessHalted}`);
  await before.replaceWith(next);
  const statesComparedMixed = await compareStates(sandbox);
  console.log(`the standby is replaced; ${statesComparedMixed} states are equal`);
  const leader = await leaderOf(sandbox);
  await leader.replaceWith(next);
  for (const name of ['projector', 'publisher', 'outbox-dispatcher']) {
    await sandbox.service(name).replaceWith(next);
  }
  await replaceGateways(sandbox, load, next);
  const statesComparedNew = await compareStates(sandbox);
  console.log(`all processes are replaced; ${statesComparedNew} states are equal`);
  const oneFee = await lastTakerFee(sandbox, trader);
  await sandbox.admin.apply({ kind: 'SetRulesVersion', version: NEXT_RULES });
  const isNewRule = await waitForFee(sandbox, trader, oneFee * 2);
  console.log(`rules version ${NEXT_RULES}: the taker fee is ${oneFee * 2}, was ${oneFee}`);
  const old = await standbyOf(sandbox);
  const downgradeRefused = await endsWith(old, REPOSITORY, REFUSED);
  console.log(`the old release: ${downgradeRefused}`);
  await old.replaceWith(next);
  const statesComparedAfter = await compareStates(sandbox);
  return {
    carelessHalted,
    statesComparedMixed,
    statesComparedNew,
    statesComparedAfter,
    isNewRule,
    downgradeRefused,
  };
}

/** Starts the service from a release that must halt; returns the reason in its log. */
async function endsWith(service: SandboxService, release: string, reason: RegExp): Promise<string> {
  // It can halt before or after it reports that it is ready.
  await service.replaceWith(release).catch(() => {});
  let found: string | undefined;
  await waitUntil({
    what: `${service.name} halts`,
    timeoutMs: WITHIN_MS,
    question: () => {
      found = reason.exec(service.log())?.[0];
      return found !== undefined && service.ending !== undefined;
    },
  });
  return found ?? '';
}

/** Like behind a load balancer: clients use the other gateway while one is replaced. */
async function replaceGateways(sandbox: Sandbox, load: OrderLoad, release: string) {
  for (const at of sandbox.urls.keys()) {
    await load.moveTo(sandbox.urls[1 - at]);
    await sandbox.service(`gateway-http-${at + 1}`).replaceWith(release);
  }
}

/**
 * Returns the fee of the latest trade that this trader took. It sells as a taker and buys as a
 * maker.
 */
async function lastTakerFee(sandbox: Sandbox, { key, secret }: Trader): Promise<number> {
  const client = new RialtoClient({ url: sandbox.url, key, secret });
  const { data } = await client.getUserTrades({ limit: 50, order_by: 'timestamp', order: 'desc' });
  const taken = data.find(({ side }) => side === 'sell');
  return Number(taken?.fee ?? 0);
}

async function waitForFee(sandbox: Sandbox, trader: Trader, fee: number): Promise<boolean> {
  const isCharged = async () => {
    const found = await lastTakerFee(sandbox, trader);
    return found > 0 && Math.abs(found - fee) < fee / 1_000;
  };
  await waitUntil({ what: 'the new rule holds', timeoutMs: WITHIN_MS, question: isCharged });
  return true;
}
