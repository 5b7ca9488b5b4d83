// Trials: one fault at a time, for any duration, while a client sends commands continuously. Each
// kind of fault has a limit on the time without an answer, and most leave the leader in place.

import type { LogPath } from '../../infra/journal/memory-log-path.ts';
import type { Random } from '../flows/index.ts';
import { FRAME_MS_MAX, type SequencerHost } from './sequencer-host.ts';
import type { World } from './world.ts';

export interface Trial {
  /** Longest allowed time without an answer. */
  readonly boundMs: number;
  /** No sequencer can serve during the fault, so its duration is added to the limit. */
  readonly isExcused: boolean;
  /** Nothing is wrong with the leader, so it must not be replaced. */
  readonly keepsLeader: boolean;
  /** Minimum duration of the fault. */
  readonly leastMs?: number;
  /** No sequencer must report that it is ready during the fault. */
  readonly isLogDead?: boolean;
  /** Starts the fault at a serving leader, and returns a function that ends it. */
  begin(given: TrialSetting): () => void;
}

export interface TrialSetting {
  readonly world: World;
  readonly random: Random;
  readonly leader: SequencerHost;
  readonly standby: SequencerHost;
  readonly durationMs: number;
}

/** A standby waits at most 250 ms; then it queries both logs, and clients resend within 600 ms. */
const TAKEOVER_MS = 1_000;
/** A leader yields if its own heartbeats have not returned for this long. */
const ECHO_LOST_MS = 400;
/** A frame and its answer, with the slowest log and a late timer. */
const USUAL_MS = 250;
/** All processes restart within 400 ms and restore their state first. */
const RESTART_MS = 1_500;
const SLOW_FRAME_MS_MAX = 1_200;

const replaced = { boundMs: TAKEOVER_MS, isExcused: false, keepsLeader: false };
const unharmed = { boundMs: USUAL_MS, isExcused: false, keepsLeader: true };
/** Afterwards the leader, or a standby, determines what the log contains. */
const excused = { boundMs: TAKEOVER_MS, isExcused: true, keepsLeader: false };

export const TRIALS = {
  leaderCrash: {
    ...replaced,
    begin: ({ durationMs, leader }) => ended(() => leader.crash(durationMs)),
  },
  leaderPaused: { ...replaced, begin: ({ leader }) => pausing(leader) },
  leaderCutFromLogs: { ...replaced, begin: ({ leader }) => cutting(leader, 'isCut') },
  leaderMuteToLogs: { ...replaced, begin: ({ leader }) => cutting(leader, 'isMute') },
  leaderDeafToLogs: { ...replaced, begin: ({ leader }) => cutting(leader, 'isDeaf') },
  leaderIsolated: { ...replaced, begin: ({ leader, world }) => isolating(world, leader.name) },
  handOver: { ...replaced, begin: ({ leader }) => ended(() => leader.shutDown()) },
  poison: { ...replaced, begin: ({ leader }) => ended(() => leader.poison()) },
  powerCut: {
    ...replaced,
    boundMs: RESTART_MS,
    begin: ({ world }) =>
      ended(() => {
        for (const host of world.sequencers) host.crash();
      }),
  },
  // Frames prove that the leader is alive while clients send to it, but it misses its echo.
  leaderUnheard: {
    ...replaced,
    boundMs: ECHO_LOST_MS + TAKEOVER_MS,
    begin: ({ leader, world }) => cuttingAll(world, (from) => from === leader.name),
  },
  // A frame is slow to apply on every replica; a working leader is not replaced.
  slowFrame: {
    ...unharmed,
    boundMs: SLOW_FRAME_MS_MAX + USUAL_MS,
    leastMs: SLOW_FRAME_MS_MAX,
    begin: ({ random, world }) =>
      ended(() => {
        world.nextFrameMs = random.between(300, SLOW_FRAME_MS_MAX);
      }),
  },
  leaderHung: {
    ...replaced,
    boundMs: FRAME_MS_MAX + TAKEOVER_MS,
    leastMs: 2 * FRAME_MS_MAX,
    begin: ({ durationMs, leader }) => ended(() => leader.machine.spend(durationMs)),
  },
  // Heartbeats arrive and the log responds: only the leader can detect that nothing reaches it.
  leaderOutOfReach: {
    ...replaced,
    boundMs: ECHO_LOST_MS + TAKEOVER_MS,
    begin: ({ leader, world }) => cuttingAll(world, (_from, to) => to === leader.name),
  },
  logOutage: {
    ...excused,
    isLogDead: true,
    begin({ world: { commands, events } }) {
      for (const log of [commands, events]) log.beginOutage();
      return () => {
        for (const log of [commands, events]) log.endOutage();
      };
    },
  },
  diskFull: {
    ...excused,
    isLogDead: true,
    begin({ world: { commands, events } }) {
      for (const log of [commands, events]) log.isFull = true;
      return () => {
        for (const log of [commands, events]) log.isFull = false;
      };
    },
  },
  standbyCrash: {
    ...unharmed,
    begin: ({ durationMs, standby }) => ended(() => standby.crash(durationMs)),
  },
  standbyPaused: { ...unharmed, begin: ({ standby }) => pausing(standby) },
  standbyCutFromLogs: { ...unharmed, begin: ({ standby }) => cutting(standby, 'isCut') },
  standbyMuteToLogs: { ...unharmed, begin: ({ standby }) => cutting(standby, 'isMute') },
  standbyDeafToLogs: { ...unharmed, begin: ({ standby }) => cutting(standby, 'isDeaf') },
  // Frames show the standby that the leader is alive; without frames it takes over.
  standbyIsolated: {
    ...unharmed,
    keepsLeader: false,
    boundMs: TAKEOVER_MS,
    begin: ({ standby, world }) => isolating(world, standby.name),
  },
  snapshotterCrash: {
    ...unharmed,
    begin: ({ world }) => ended(() => world.snapshotter.crash()),
  },
  clockOfLeader: {
    ...unharmed,
    begin: ({ leader: { machine }, random }) =>
      setting(hours(random), (ms) => machine.setSkewMs(ms)),
  },
  clockOfLog: {
    ...unharmed,
    begin: ({ random, world }) =>
      setting(hours(random), (ms) => {
        world.commands.skewMs = ms;
      }),
  },
  // The standby declines once, to let another standby with a correct clock lead.
  clockOfStandby: {
    ...replaced,
    boundMs: 2 * TAKEOVER_MS,
    begin({ durationMs, leader, random, standby: { machine } }) {
      const end = setting(hours(random), (ms) => machine.setSkewMs(ms));
      leader.crash(durationMs);
      return end;
    },
  },
} satisfies Record<string, Trial>;

export type TrialName = keyof typeof TRIALS;
export const TRIAL_NAMES = Object.keys(TRIALS) as TrialName[];

/** Runs a fault that does not need to be ended. */
function ended(strike: () => void): () => void {
  strike();
  return () => {};
}

function pausing({ machine }: SequencerHost): () => void {
  machine.pause();
  return () => machine.resume();
}

function cutting({ machine }: SequencerHost, how: 'isCut' | 'isMute' | 'isDeaf'): () => void {
  const set = (isCut: boolean): void => {
    const paths: LogPath[] = [machine.commandsPath, machine.eventsPath];
    for (const path of paths) path[how] = isCut;
  };
  set(true);
  return () => set(false);
}

function isolating({ bus, links }: World, name: string): () => void {
  for (const path of [bus, links]) path.isolate(name);
  return () => {
    for (const path of [bus, links]) path.rejoin(name);
  };
}

/**
 * Cuts one direction between pairs of processes, including from a process to itself over the bus.
 */
function cuttingAll(world: World, isCut: (from: string, to: string) => boolean): () => void {
  const names = world.machines.map(({ name }) => name);
  const ways = names.flatMap((from) =>
    names.filter((to) => isCut(from, to)).map((to) => ({ from, to })),
  );
  const paths = [world.bus, world.links];
  for (const path of paths) for (const way of ways) path.cut(way);
  return () => {
    for (const path of paths) for (const way of ways) path.restore(way);
  };
}

function setting(skewMs: number, set: (skewMs: number) => void): () => void {
  set(skewMs);
  return () => set(0);
}

/** Returns a skew of up to five hours ahead or behind. */
export function hours(random: Random): number {
  return random.pick([-1, 1]) * random.between(2_000, 5 * 3_600_000);
}
