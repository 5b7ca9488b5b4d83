// Faults of the drill. Each one also ends: it restores the machine, the network, the disk or the
// clock, with the handbook steps where an operator must act.

import { setTimeout as delay } from 'node:timers/promises';
import type { DeploymentStage } from './stage.ts';

export interface DeploymentFault {
  readonly name: string;
  /** Operator actions during the fault. */
  readonly operator: string;
  isPossible?(stage: DeploymentStage): boolean;
  strike(stage: DeploymentStage, act: () => void): Promise<void>;
}

/** Longer than the log needs to elect another leader. */
const LASTS_MS = 10_000;
const DISK_FULL_MS = 6_000;

const [M1, M2, M3] = [0, 1, 2];

const m3Lost: DeploymentFault = {
  name: 'm3 lost, with the archive',
  operator: 'nothing',
  async strike(stage) {
    await stage.lose(M3);
    await delay(LASTS_MS);
    stage.bringBack(M3);
  },
};

const m2Lost: DeploymentFault = {
  name: 'm2 lost, with the replica',
  operator: 'lets commits continue alone; later makes them synchronous again',
  async strike(stage, act) {
    await stage.lose(M2);
    await stage.follow('alone', stage.primary);
    act();
    await delay(LASTS_MS);
    stage.bringBack(M2);
    await stage.untilStreaming();
    const names = { PRIMARY: stage.machines[M1].name, REPLICA: stage.machines[M2].name };
    await stage.follow('synchronous', stage.primary, names);
  },
};

const m1Lost: DeploymentFault = {
  name: 'm1 lost, with the primary',
  operator: 'promotes the replica; later makes m1 the replica',
  async strike(stage, act) {
    await stage.lose(M1);
    await stage.promote(M2);
    act();
    await delay(LASTS_MS);
    stage.bringBack(M1, { withPostgres: false });
    await stage.makeReplica(M1);
  },
};

const primaryLost: DeploymentFault = {
  name: 'PostgreSQL of the primary killed permanently',
  operator: 'promotes the replica; later makes the other one the replica',
  async strike(stage, act) {
    const [from, to] = stage.primary === M1 ? [M1, M2] : [M2, M1];
    await stage.machines[from].postgres?.kill();
    await stage.promote(to);
    act();
    await stage.makeReplica(from);
  },
};

function partition(one: number, other: number, ways: 'both' | 'one'): DeploymentFault {
  const [from, to] = [`m${one + 1}`, `m${other + 1}`];
  return {
    name: ways === 'both' ? `${from} and ${to} apart` : `${to} does not hear ${from}`,
    operator: 'nothing',
    async strike({ network }) {
      network.drop(one, other);
      if (ways === 'both') network.drop(other, one);
      await delay(LASTS_MS);
      network.heal();
    },
  };
}

const PARTITIONS = [
  [M1, M2],
  [M1, M3],
  [M2, M3],
].flatMap(([one, other]) => [
  partition(one, other, 'both'),
  partition(one, other, 'one'),
  partition(other, one, 'one'),
]);

const diskFull: DeploymentFault = {
  name: 'disk of n1 full',
  operator: 'frees the disk and restarts n1',
  isPossible: ({ natsDisk }) => natsDisk !== undefined,
  async strike(stage, act) {
    stage.natsDisk?.fill();
    await delay(DISK_FULL_MS);
    stage.natsDisk?.free();
    const { nats } = stage.machines[M1];
    await nats.stop();
    nats.start();
    act();
  },
};

function clock(seconds: number): DeploymentFault {
  const sign = seconds > 0 ? '+' : '−';
  return {
    name: `clock of the leader's machine ${sign}${Math.abs(seconds)} s`,
    operator: 'nothing',
    isPossible: ({ canMoveClocks }) => canMoveClocks,
    async strike(stage) {
      const machine = await stage.leader();
      machine.moveClock(seconds);
      await delay(LASTS_MS);
      machine.moveClock(0);
    },
  };
}

const everythingRestarted: DeploymentFault = {
  name: 'all machines killed at the same time, and started',
  operator: 'nothing',
  async strike(stage) {
    const all = stage.machines.flatMap(({ everything }) => everything);
    await Promise.all(all.map((one) => one.kill()));
    for (const machine of stage.machines) stage.startMachine(machine);
  },
};

/** The primary is m1 again after `primaryLost`. */
export const FAULTS: readonly DeploymentFault[] = [
  m1Lost,
  primaryLost,
  m2Lost,
  m3Lost,
  everythingRestarted,
  diskFull,
  clock(5),
  clock(-5),
  ...PARTITIONS,
];

export const QUICK_FAULTS: readonly DeploymentFault[] = [m1Lost];
