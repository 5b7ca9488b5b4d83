// Faults that the simulator injects, one function each. A fault can have a target, the machine of
// an observed moment. Otherwise it picks a victim, usually the leader.

import type { MemoryLog } from '../../infra/journal/memory-log.ts';
import type { Random } from '../flows/random.ts';
import type { Machine } from './machine.ts';
import type { SequencerHost } from './sequencer-host.ts';
import type { SimulatedBus } from './simulated-bus.ts';
import { hours } from './trials.ts';
import type { World } from './world.ts';

export type Fault = (world: World, random: Random, target: SequencerHost | undefined) => void;

/** These floods together send more commands than an engine with minimum limits remembers. */
const FLOODS = 5;
const FLOOD_EVERY_MS = 60;

export type FaultName =
  | 'crash'
  | 'powerCut'
  | 'pause'
  | 'cutFromLogs'
  | 'cutFromCommands'
  | 'cutFromEvents'
  | 'isolate'
  | 'oneWay'
  | 'echo'
  | 'storm'
  | 'outage'
  | 'handOver'
  | 'handOverInOutage'
  | 'skew'
  | 'skewHours'
  | 'oneWayFromLogs'
  | 'diskFull'
  | 'slowFrame'
  | 'poison'
  | 'oblivion'
  | 'crashSnapshotter'
  | 'crashClient'
  | 'pauseClient';

export const FAULTS: Record<FaultName, Fault> = {
  crash(world, random, target) {
    world.count('crashes');
    victim(world, random, target).crash();
  },

  powerCut(world) {
    world.count('power_cuts');
    for (const host of world.sequencers) host.crash();
  },

  pause(world, random, target) {
    pause(world, random, victim(world, random, target).machine);
  },

  cutFromLogs(world, random, target) {
    const { machine } = victim(world, random, target);
    world.count('cuts_from_logs');
    world.log(() => `${machine.name} loses its connection to the logs`);
    machine.setCut(true);
    world.time.after(duration(random), () => machine.setCut(false));
  },

  cutFromCommands(world, random, target) {
    cutOne(world, random, victim(world, random, target).machine, 'commandsPath');
  },

  cutFromEvents(world, random, target) {
    cutOne(world, random, victim(world, random, target).machine, 'eventsPath');
  },

  isolate(world, random, target) {
    const { name } = victim(world, random, target);
    world.count('isolations');
    for (const path of pathsToCut(world, random)) {
      world.log(() => `${name} loses ${nameOf(world, path)}`);
      path.isolate(name);
      world.time.after(duration(random), () => path.rejoin(name));
    }
  },

  oneWay(world, random) {
    const [from, to] = [random.pick(world.machines).name, random.pick(world.machines).name];
    world.count('one_way_cuts');
    for (const path of pathsToCut(world, random)) {
      world.log(() => `${nameOf(world, path)}: messages from ${from} to ${to} are dropped`);
      path.cut({ from, to });
      world.time.after(duration(random), () => path.restore({ from, to }));
    }
  },

  /** For a while, every other message on the bus arrives twice; the duplicate is often late. */
  echo(world, random) {
    world.count('echoes');
    world.log(() => 'the bus duplicates messages');
    worsen(world, random, world.busFaults, { message_twice: 0.5 });
  },

  /** For a while, most requests between a sequencer and a log fail. */
  storm(world, random, target) {
    const { machine } = victim(world, random, target);
    const path = random.pick([machine.commandsPath, machine.eventsPath]);
    world.count('storms');
    world.log(() => `requests between ${machine.name} and a log fail often`);
    worsen(world, random, path, {
      append_lost: 0.3,
      append_late: 0.3,
      append_twice: 0.3,
      answer_lost: 0.3,
      answer_late: 0.3,
      connection_reset: 0.3,
      extent_stale: 0.3,
    });
  },

  outage(world, random) {
    outage(world, random);
  },

  handOver(world, random, target) {
    world.count('hand_overs');
    victim(world, random, target).shutDown();
  },

  handOverInOutage(world, random, target) {
    outage(world, random);
    world.count('hand_overs');
    victim(world, random, target).shutDown();
  },

  skew(world, random) {
    const machine = random.pick(world.machines);
    const { skewMsMax } = world.plan;
    const skewMs = random.between(-skewMsMax, skewMsMax);
    world.count('skews');
    world.log(() => `the clock of ${machine.name} is off by ${skewMs} ms`);
    machine.setSkewMs(skewMs);
  },

  /** One clock in the schedule is wrong by hours, and might be corrected later. */
  skewHours(world, random) {
    const host = world.sequencers[world.plan.wrongClock];
    const skewMs = random.chance(30) ? 0 : hours(random);
    world.count('skews_of_hours');
    world.log(() => `the clock of ${host?.name ?? 'the log'} is off by ${skewMs} ms`);
    if (host === undefined) world.commands.skewMs = skewMs;
    else host.machine.setSkewMs(skewMs);
  },

  oneWayFromLogs(world, random, target) {
    const { machine } = victim(world, random, target);
    const way = random.pick(['isMute', 'isDeaf'] as const);
    world.count('one_way_cuts_from_logs');
    world.log(() => `${machine.name} loses one direction to the logs: ${way}`);
    const paths = [machine.commandsPath, machine.eventsPath];
    for (const path of paths) path[way] = true;
    world.time.after(duration(random), () => {
      for (const path of paths) path[way] = false;
    });
  },

  diskFull(world, random) {
    const logs = random.pick([[world.commands], [world.events], [world.commands, world.events]]);
    world.count('full_disks');
    world.log(() => 'the disks of a log are full');
    for (const log of logs) log.isFull = true;
    world.time.after(duration(random), () => {
      for (const log of logs) log.isFull = false;
    });
  },

  slowFrame(world, random) {
    world.count('slow_frames');
    world.nextFrameMs = random.between(50, 1_000);
    world.log(() => `the next frame takes ${world.nextFrameMs} ms`);
  },

  poison(world) {
    const leader = world.sequencers.find(({ isServing }) => isServing);
    if (leader === undefined) return;
    world.count('poisons');
    leader.poison();
  },

  /**
   * A client's commands are applied, but the client learns this only after the engine forgot them.
   */
  oblivion(world, random) {
    if (!world.plan.isFlooded || (world.counts.get('oblivions') ?? 0) > 0) return;
    world.count('oblivions');
    const client = random.pick(world.clients);
    const to = client.name;
    world.log(() => `${to} receives nothing from sequencers for a long time`);
    for (const { name: from } of world.sequencers) {
      for (const path of [world.bus, world.links]) {
        path.cut({ from, to });
        world.time.after(random.between(400, 1_500), () => path.restore({ from, to }));
      }
    }
    client.trade(3);
    for (let flood = 1; flood <= FLOODS; flood++) {
      world.time.after(flood * FLOOD_EVERY_MS, () => world.operator.flood());
    }
  },

  crashSnapshotter(world) {
    world.count('snapshotter_crashes');
    world.snapshotter.crash();
  },

  crashClient(world, random) {
    world.count('client_crashes');
    random.pick(world.clients).crash();
  },

  pauseClient(world, random) {
    pause(world, random, random.pick(world.clients).machine);
  },
};

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}

/** Returns the target or the leader in most cases, sometimes any sequencer. */
function victim(world: World, random: Random, target: SequencerHost | undefined): SequencerHost {
  const leader = world.sequencers.find(({ isLeading }) => isLeading);
  const wanted = target ?? leader;
  return wanted !== undefined && random.chance(75) ? wanted : random.pick(world.sequencers);
}

/** Cutting a single path is worse: a leader without heartbeats might still receive batches. */
function pathsToCut({ bus, links }: World, random: Random): readonly SimulatedBus[] {
  return random.pick([[bus], [links], [bus, links]]);
}

function nameOf({ bus }: World, path: SimulatedBus): string {
  return path === bus ? 'the bus' : 'the direct links';
}

function duration(random: Random): number {
  return random.chance(50) ? random.between(5, 120) : random.between(100, 1_200);
}

/** Changes rates for a while, unless they are changed again in the meantime. */
function worsen<Rates>(
  world: World,
  random: Random,
  path: { rates: Rates },
  rates: Partial<Rates>,
): void {
  const before = path.rates;
  const worse = { ...before, ...rates };
  path.rates = worse;
  world.time.after(duration(random), () => {
    if (path.rates === worse) path.rates = before;
  });
}

function pause(world: World, random: Random, machine: Machine): void {
  if (!machine.isUp || machine.isPaused) return;
  const forMs = duration(random);
  world.count('pauses');
  world.log(() => `${machine.name} is paused for ${forMs} ms`);
  machine.pause();
  world.time.after(forMs, () => {
    world.log(() => `${machine.name} resumes`);
    machine.resume();
  });
}

function cutOne(
  world: World,
  random: Random,
  machine: Machine,
  which: 'commandsPath' | 'eventsPath',
): void {
  world.count('cuts_from_one_log');
  world.log(() => `${machine.name} loses its ${which}`);
  machine[which].isCut = true;
  world.time.after(duration(random), () => {
    machine[which].isCut = false;
  });
}

function outage(world: World, random: Random): void {
  const both = [world.commands, world.events];
  const logs = random.chance(40) ? both : [random.pick(both)];
  for (const log of logs) beginOutage(world, random, log);
}

function beginOutage(world: World, random: Random, log: MemoryLog): void {
  const forMs = duration(random);
  world.count('outages');
  world.log(
    () => `${log === world.commands ? 'COMMANDS' : 'EVENTS'} has no leader for ${forMs} ms`,
  );
  log.beginOutage();
  world.time.after(forMs, () => log.endOutage());
}
