// Faults of the drill, each on real processes. A fault returns how long it took until commands were
// acknowledged again; the drill then waits until everything is healthy.

import { setTimeout as delay } from 'node:timers/promises';
import { journalNames } from '../../../infra/journal/index.ts';
import type { NatsNode } from '../../../tools/services/nats.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import type { Random } from '../../flows/index.ts';
import { EXCHANGE } from '../harness/log-stage.ts';
import { steadyMs } from './clients/frame-arrivals.ts';
import { type Damage, damageBlock } from './damaged-block.ts';
import { SMALL_NODE } from './leftovers.ts';
import type { Stage } from './stage.ts';

/** Sequencer faults, whose failover time is that of a takeover. */
export const SEQUENCER_FAULTS = ['sequencer-killed', 'sequencer-stopped', 'rolling'] as const;
export const LOG_FAULTS = [
  'log-leader-killed',
  'log-all-killed',
  'block-flipped',
  'block-truncated',
  'disk-full',
] as const;
export type FaultKind = (typeof SEQUENCER_FAULTS)[number] | (typeof LOG_FAULTS)[number];

export interface FaultSettings {
  /** How long a stopped sequencer is suspended. */
  readonly stopMs: number;
}

/** One time per sequencer failover or log outage. */
export type FailoverTimes = readonly number[];

type Fault = (stage: Stage, random: Random, settings: FaultSettings) => Promise<FailoverTimes>;

const AGAIN_WITHIN_MS = 300_000;
/** Time at full pace before the next sequencer gets SIGTERM. */
const CALM_BETWEEN_MS = 500;
const DISK_FULL_MS = 4_000;
const EXIT_LEFT = 0;
const EXIT_FENCED = 75;

export const FAULTS: Record<FaultKind, Fault> = {
  'sequencer-killed': killSequencer,
  'sequencer-stopped': stopSequencer,
  rolling: rollSequencers,
  'log-leader-killed': killLogLeader,
  'log-all-killed': killAllNodes,
  'block-flipped': (stage, random) => damageNode(stage, random, 'flipped'),
  'block-truncated': (stage, random) => damageNode(stage, random, 'truncated'),
  'disk-full': fillDisk,
};

async function killSequencer(stage: Stage): Promise<FailoverTimes> {
  const leader = await stage.leading();
  const { epoch } = stage.link;
  const sinceMs = steadyMs();
  leader.kill('SIGKILL');
  return [await stage.clients.awaitFrame({ sinceMs, epochAfter: epoch }, AGAIN_WITHIN_MS)];
}

/** Two leaders: the suspended one must detect that it was replaced, and write nothing. */
async function stopSequencer(
  stage: Stage,
  _random: Random,
  { stopMs }: FaultSettings,
): Promise<FailoverTimes> {
  const leader = await stage.leading();
  const { epoch } = stage.link;
  const { pid } = leader;
  const sinceMs = steadyMs();
  leader.kill('SIGSTOP');
  const failoverMs = stage.clients.awaitFrame({ sinceMs, epochAfter: epoch }, AGAIN_WITHIN_MS);
  await Promise.all([failoverMs, delay(stopMs)]);
  leader.kill('SIGCONT');
  const { code, logTail } = await leader.waitUntilExited(pid!);
  if (code !== EXIT_FENCED) {
    stage.halts.push(`${leader.name} was not fenced; exit code ${code}:\n${logTail}`);
  }
  return [await failoverMs];
}

/** Replaces leader and standby one after another, as for a new release. */
async function rollSequencers(stage: Stage): Promise<FailoverTimes> {
  const failoverTimes: number[] = [];
  for (let count = 0; count < stage.sequencers.length; count++) {
    if (count > 0) await stage.waitUntilHealthy();
    await delay(CALM_BETWEEN_MS);
    const leader = await stage.leading();
    const { epoch } = stage.link;
    const { pid } = leader;
    const sinceMs = steadyMs();
    leader.kill('SIGTERM');
    const wanted = { sinceMs, epochAfter: epoch };
    failoverTimes.push(await stage.clients.awaitFrame(wanted, AGAIN_WITHIN_MS));
    const { code, logTail } = await leader.waitUntilExited(pid!);
    if (code !== EXIT_LEFT) {
      stage.halts.push(`${leader.name} did not shut down; exit code ${code}:\n${logTail}`);
    }
  }
  return failoverTimes;
}

async function killLogLeader(stage: Stage): Promise<FailoverTimes> {
  const node = await leaderNode(stage);
  return acknowledgedAgain(stage, () => killAndRestart([node]));
}

async function killAllNodes(stage: Stage): Promise<FailoverTimes> {
  return acknowledgedAgain(stage, () => killAndRestart(stage.nodes));
}

async function damageNode(stage: Stage, random: Random, damage: Damage): Promise<FailoverTimes> {
  const node = random.pick(stage.nodes);
  return acknowledgedAgain(stage, () =>
    killAndRestart([node], () => {
      console.log(`    ${node.name}: ${damageBlock(node.storeFolder, random, damage)}`);
    }),
  );
}

/** The server can continue, or exit and be restarted; both are valid. */
async function fillDisk(stage: Stage): Promise<FailoverTimes> {
  const { nodes, smallDisk } = stage;
  const node = nodes.find(({ name }) => name === SMALL_NODE)!;
  if (typeof smallDisk === 'string')
    throw new Error(`The small disk is not available: ${smallDisk}`);
  return acknowledgedAgain(stage, async () => {
    smallDisk.fill();
    const fullWallMs = Date.now();
    await delay(DISK_FULL_MS);
    smallDisk.free();
    if (!(await isHealthy(node))) {
      await node.kill('SIGKILL');
      await node.start();
    }
    return fullWallMs;
  });
}

/** `breakIt` returns the wall-clock time after which a frame counts as created after the fault. */
async function acknowledgedAgain(
  stage: Stage,
  breakIt: () => Promise<number>,
): Promise<FailoverTimes> {
  const sinceMs = steadyMs();
  const madeAfterMs = await breakIt();
  return [await stage.clients.awaitFrame({ sinceMs, madeAfterMs }, AGAIN_WITHIN_MS)];
}

async function killAndRestart(
  nodes: readonly NatsNode[],
  meanwhile: () => void = () => {},
): Promise<number> {
  await Promise.all(nodes.map((node) => node.kill('SIGKILL')));
  const goneWallMs = Date.now();
  meanwhile();
  await Promise.all(nodes.map((node) => node.start()));
  return goneWallMs;
}

async function leaderNode(stage: Stage): Promise<NatsNode> {
  let found: NatsNode | undefined;
  const question = async () => {
    const name = await stage.health.leaderNode(journalNames(EXCHANGE).commands.stream);
    found = stage.nodes.find((node) => node.name === name);
    return found !== undefined;
  };
  await waitUntil({ what: 'a node leads the log', timeoutMs: 30_000, question });
  return found!;
}

async function isHealthy({ monitorUrl }: NatsNode): Promise<boolean> {
  try {
    const response = await fetch(`${monitorUrl}/healthz`, { signal: AbortSignal.timeout(2_000) });
    return ((await response.json()) as { status?: string }).status === 'ok';
  } catch {
    return false;
  }
}
