// The kinds of trouble, one function for each. Each may be aimed at the machine on which a nemesis
// lay in wait; otherwise it finds a victim of its own, most often the leader.

import type { MemoryLog } from '../../infra/journal/memory-log.ts';
import type { Random } from '../flows/random.ts';
import type { Machine } from './machine.ts';
import type { SequencerHost } from './sequencer-host.ts';
import type { SimulatedBus } from './simulated-bus.ts';
import type { World } from './world.ts';

export type Fault = (world: World, random: Random, aim: SequencerHost | undefined) => void;

/** Together more commands than an engine of the smallest limits remembers. */
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
  | 'poison'
  | 'oblivion'
  | 'crashSnapshotter'
  | 'crashClient'
  | 'pauseClient';

export const FAULTS: Record<FaultName, Fault> = {
  crash(world, random, aim) {
    world.count('crashes');
    victim(world, random, aim).crash();
  },

  powerCut(world) {
    world.count('power_cuts');
    for (const host of world.sequencers) host.crash();
  },

  pause(world, random, aim) {
    pause(world, random, victim(world, random, aim).machine);
  },

  cutFromLogs(world, random, aim) {
    const { machine } = victim(world, random, aim);
    world.count('cuts_from_logs');
    world.log(() => `${machine.name} is cut from the logs`);
    machine.setCut(true);
    world.time.after(lasting(random), () => machine.setCut(false));
  },

  cutFromCommands(world, random, aim) {
    cutOne(world, random, victim(world, random, aim).machine, 'commandsPath');
  },

  cutFromEvents(world, random, aim) {
    cutOne(world, random, victim(world, random, aim).machine, 'eventsPath');
  },

  isolate(world, random, aim) {
    const { name } = victim(world, random, aim);
    world.count('isolations');
    for (const way of waysToCut(world, random)) {
      world.log(() => `${name} is cut from ${nameOf(world, way)}`);
      way.isolate(name);
      world.time.after(lasting(random), () => way.rejoin(name));
    }
  },

  oneWay(world, random) {
    const [from, to] = [random.pick(world.machines).name, random.pick(world.machines).name];
    world.count('one_way_cuts');
    for (const way of waysToCut(world, random)) {
      world.log(() => `nothing passes from ${from} to ${to} on ${nameOf(world, way)}`);
      way.cut({ from, to });
      world.time.after(lasting(random), () => way.restore({ from, to }));
    }
  },

  /** For a while every other message on the bus comes twice, the second often late. */
  echo(world, random) {
    world.count('echoes');
    world.log(() => 'the bus has an echo');
    worsen(world, random, world.busFaults, { message_twice: 0.5 });
  },

  /** For a while most of what passes between a sequencer and a log goes wrong. */
  storm(world, random, aim) {
    const { machine } = victim(world, random, aim);
    const path = random.pick([machine.commandsPath, machine.eventsPath]);
    world.count('storms');
    world.log(() => `a storm between ${machine.name} and a log`);
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

  handOver(world, random, aim) {
    world.count('hand_overs');
    victim(world, random, aim).shutDown();
  },

  handOverInOutage(world, random, aim) {
    outage(world, random);
    world.count('hand_overs');
    victim(world, random, aim).shutDown();
  },

  skew(world, random) {
    const machine = random.pick(world.machines);
    const { skewMsMax } = world.plan;
    const skewMs = random.between(-skewMsMax, skewMsMax);
    world.count('skews');
    world.log(() => `the clock of ${machine.name} is off by ${skewMs}`);
    machine.setSkewMs(skewMs);
  },

  poison(world) {
    const leader = world.sequencers.find(({ isServing }) => isServing);
    if (leader === undefined) return;
    world.count('poisons');
    leader.poison();
  },

  /** A client's commands are applied, but outcomes arrive only after the ids are forgotten. */
  oblivion(world, random) {
    if (!world.plan.isFlooded || (world.counts.get('oblivions') ?? 0) > 0) return;
    world.count('oblivions');
    const client = random.pick(world.clients);
    const to = client.name;
    world.log(() => `${to} hears no sequencer for a long time`);
    for (const { name: from } of world.sequencers) {
      for (const way of [world.bus, world.links]) {
        way.cut({ from, to });
        world.time.after(random.between(400, 1_500), () => way.restore({ from, to }));
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

/** Mostly the one in whose moment we struck, or the leader; sometimes anybody. */
function victim(world: World, random: Random, aim: SequencerHost | undefined): SequencerHost {
  const leader = world.sequencers.find(({ isLeading }) => isLeading);
  const wanted = aim ?? leader;
  return wanted !== undefined && random.chance(75) ? wanted : random.pick(world.sequencers);
}

/** One of them alone is the worse: a leader that nobody can hear may still be spoken to. */
function waysToCut({ bus, links }: World, random: Random): readonly SimulatedBus[] {
  return random.pick([[bus], [links], [bus, links]]);
}

function nameOf({ bus }: World, way: SimulatedBus): string {
  return way === bus ? 'the bus' : 'the links';
}

function lasting(random: Random): number {
  return random.chance(50) ? random.between(5, 120) : random.between(100, 1_200);
}

/** Other rates for a while; when they have been changed meanwhile, they stay as they are. */
function worsen<Rates>(
  world: World,
  random: Random,
  way: { rates: Rates },
  rates: Partial<Rates>,
): void {
  const before = way.rates;
  const worse = { ...before, ...rates };
  way.rates = worse;
  world.time.after(lasting(random), () => {
    if (way.rates === worse) way.rates = before;
  });
}

function pause(world: World, random: Random, machine: Machine): void {
  if (!machine.isUp || machine.isPaused) return;
  const forMs = lasting(random);
  world.count('pauses');
  world.log(() => `${machine.name} is paused for ${forMs}`);
  machine.pause();
  world.time.after(forMs, () => {
    world.log(() => `${machine.name} goes on`);
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
  world.log(() => `${machine.name} is cut from ${which}`);
  machine[which].isCut = true;
  world.time.after(lasting(random), () => {
    machine[which].isCut = false;
  });
}

function outage(world: World, random: Random): void {
  const both = [world.commands, world.events];
  const logs = random.chance(40) ? both : [random.pick(both)];
  for (const log of logs) beginOutage(world, random, log);
}

function beginOutage(world: World, random: Random, log: MemoryLog): void {
  const forMs = lasting(random);
  world.count('outages');
  world.log(() => `${log === world.commands ? 'COMMANDS' : 'EVENTS'} has no leader for ${forMs}`);
  log.beginOutage();
  world.time.after(forMs, () => log.endOutage());
}
