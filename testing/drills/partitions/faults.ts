// Faults of the drill. Each has a limit for the time without an acknowledgment, in addition to the
// time in which the fault itself prevents one.

import { setTimeout as delay } from 'node:timers/promises';
import type { StagedFault } from '../harness/strike-faults.ts';
import type { PartitionStage } from './partition-stage.ts';

export interface PartitionFault extends StagedFault<PartitionStage> {
  readonly boundMs: number;
}

/** JetStream elects another leader in 4 to 9 seconds; a busy machine takes longer. */
const ELECTION_MS = 15_000;
/** For faults that must hardly be noticeable. */
const UNNOTICED_MS = 3_000;
/** A fault of one server lasts longer than an election, and the others must continue during it. */
const LASTS_MS = 15_000;
/** A majority fault: nothing can be stored. */
const OUTAGE_MS = 6_000;
const HOUR_SECONDS = 3_600;

export const FAULTS: readonly PartitionFault[] = [
  {
    name: 'log-leader-cut-off-from-servers',
    boundMs: ELECTION_MS,
    strike: (stage) => cutOff(stage, ['out', 'in']),
  },
  {
    name: 'log-leader-not-heard-by-servers',
    boundMs: ELECTION_MS,
    strike: (stage) => cutOff(stage, ['out']),
  },
  {
    // The servers receive its messages and keep following it, so nothing is stored before the fault
    // ends.
    name: 'log-leader-hears-no-server',
    boundMs: ELECTION_MS + LASTS_MS,
    strike: (stage) => cutOff(stage, ['in']),
  },
  {
    name: 'all-servers-apart',
    boundMs: ELECTION_MS,
    async strike({ network }) {
      const sinceMs = performance.now();
      for (const from of [0, 1, 2]) {
        for (const to of [0, 1, 2]) if (from !== to) network.drop(from, to);
      }
      await delay(OUTAGE_MS);
      network.heal();
      return performance.now() - sinceMs;
    },
  },
  {
    name: 'majority-stopped',
    boundMs: ELECTION_MS,
    async strike(stage) {
      const stopped = (await stage.serversByRole()).slice(0, 2).map((at) => stage.log.nodes[at]);
      const sinceMs = performance.now();
      for (const node of stopped) await node.kill('SIGSTOP');
      await delay(OUTAGE_MS);
      for (const node of stopped) await node.kill('SIGCONT');
      return performance.now() - sinceMs;
    },
  },
  {
    name: 'log-leader-disk-frozen',
    boundMs: ELECTION_MS + LASTS_MS,
    async strike(stage) {
      const [leader] = await stage.serversByRole();
      await frozen(stage, [leader], LASTS_MS);
      return 0;
    },
  },
  {
    name: 'majority-disks-frozen',
    boundMs: ELECTION_MS,
    async strike(stage) {
      const [leader, other] = await stage.serversByRole();
      return frozen(stage, [leader, other], OUTAGE_MS);
    },
  },
  {
    name: 'leader-clock-an-hour-ahead',
    boundMs: UNNOTICED_MS,
    isPossible: ({ canMoveClocks }) => canMoveClocks,
    strike: (stage) => clockMoved(stage, 'leader'),
  },
  {
    name: 'standby-clock-an-hour-ahead',
    boundMs: UNNOTICED_MS,
    isPossible: ({ canMoveClocks }) => canMoveClocks,
    strike: (stage) => clockMoved(stage, 'standby'),
  },
];

/** Cuts the server that leads the log off from the others, but not from its clients. */
async function cutOff(
  stage: PartitionStage,
  directions: readonly ('in' | 'out')[],
): Promise<number> {
  const [leader, ...others] = await stage.serversByRole();
  for (const other of others) {
    if (directions.includes('out')) stage.network.drop(leader, other);
    if (directions.includes('in')) stage.network.drop(other, leader);
  }
  await delay(LASTS_MS);
  stage.network.heal();
  return 0;
}

async function frozen(
  { disks }: PartitionStage,
  servers: readonly number[],
  forMs: number,
): Promise<number> {
  const sinceMs = performance.now();
  for (const at of servers) disks[at].freeze();
  try {
    await delay(forMs);
  } finally {
    for (const at of servers) disks[at].thaw();
  }
  return performance.now() - sinceMs;
}

async function clockMoved(stage: PartitionStage, role: 'leader' | 'standby'): Promise<number> {
  await stage.moveClock(role, HOUR_SECONDS);
  await delay(OUTAGE_MS);
  stage.resetClocks();
  return 0;
}
