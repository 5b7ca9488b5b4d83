// Injects faults that the seed decides. Each schedule has its own selection of kinds, so rare
// combinations occur, and faults overlap. Some faults strike at an exact moment.

import type { LogFault, LogPath } from '../../infra/journal/memory-log-path.ts';
import type { Random } from '../flows/index.ts';
import { FAULTS, type Fault, isFaultName } from './faults.ts';
import type { SnapshotFault } from './memory-snapshots.ts';
import type { Moment, SequencerHost } from './sequencer-host.ts';
import type { BusFault } from './simulated-bus.ts';
import type { World } from './world.ts';

const LOG_FAULTS: readonly LogFault[] = [
  'append_lost',
  'append_late',
  'append_twice',
  'answer_lost',
  'answer_late',
  'connection_reset',
  'delivery_lost',
  'delivery_late',
  'delivery_twice',
  'delivery_torn',
  'delivery_stalled',
  'extent_stale',
  'extent_unavailable',
  'read_unavailable',
];
const BUS_FAULTS: readonly BusFault[] = ['message_lost', 'message_late', 'message_twice'];
const SNAPSHOT_FAULTS: readonly SnapshotFault[] = [
  'snapshot_unavailable',
  'snapshot_answer_lost',
  'snapshot_torn',
];

const MOMENTS: readonly Moment[] = [
  'frame_made',
  'frame_stored',
  'frame_acknowledged',
  'events_stored',
  'takeover_started',
  'leader_elected',
  'state_restored',
  'snapshot_verified',
];

interface Ambush {
  readonly moment: Moment;
  /** How many such moments to skip first. */
  wait: number;
  readonly fault: Fault;
}

export class Nemesis {
  readonly #world: World;
  readonly #random: Random;
  readonly #faults: readonly Fault[];
  readonly #meanPauseMs: number;
  #ambushes: Ambush[] = [];
  #isOver = false;

  constructor(world: World) {
    this.#world = world;
    this.#random = world.random;
    const names = Object.keys(FAULTS).filter(isFaultName);
    const chosen = names.filter(() => this.#random.chance(40));
    this.#faults = (chosen.length > 0 ? chosen : names).map((name) => FAULTS[name]);
    this.#meanPauseMs = this.#random.pick([30, 80, 150, 300]);
    world.onMoment = (moment, host) => this.#onMoment(moment, host);
  }

  /** Injects faults from now until calm(). */
  start(): void {
    this.#setRates();
    this.#strikeLater();
    const oblivionMs = this.#random.below(this.#world.plan.faultsMs / 2);
    this.#world.time.after(oblivionMs, () => this.#strike(FAULTS.oblivion, undefined));
  }

  /** Ends all faults; lost messages are not restored. */
  calm(): void {
    const world = this.#world;
    this.#isOver = true;
    this.#ambushes = [];
    world.log(() => 'all faults end');
    // The remaining sequencers must work without it.
    const { otherRelease } = world.plan;
    if (otherRelease === undefined && this.#random.chance(30)) this.#destroyOne();
    for (const log of [world.commands, world.events]) {
      log.endOutage();
      log.isFull = false;
    }
    world.bus.heal();
    world.links.heal();
    world.busFaults.rates = {};
    world.nextFrameMs = 0;
    for (const host of world.sequencers) host.cure();
    for (const machine of world.machines) {
      machine.setCut(false);
      machine.commandsPath.rates = {};
      machine.eventsPath.rates = {};
      machine.snapshotFaults.rates = {};
      machine.resume();
    }
  }

  /** Often the leader of the latest epoch, so only a former leader might remain. */
  #destroyOne(): void {
    const { sequencers } = this.#world;
    const leaders = sequencers.filter(({ isLeading }) => isLeading);
    const epochOf = (host: SequencerHost): number => host.sequencer?.leader?.epoch ?? 0;
    const latest = leaders.sort((one, other) => epochOf(other) - epochOf(one)).at(0);
    const victim = this.#random.chance(60) ? latest : undefined;
    (victim ?? this.#random.pick(sequencers)).destroy();
  }

  #strikeLater(): void {
    this.#world.time.after(this.#random.below(2 * this.#meanPauseMs), () => {
      if (this.#isOver) return;
      const fault = this.#random.pick(this.#faults);
      if (this.#random.chance(40)) this.#addAmbush(fault);
      else this.#strike(fault, undefined);
      this.#strikeLater();
    });
  }

  #strike(fault: Fault, target: SequencerHost | undefined): void {
    fault(this.#world, this.#random, target);
  }

  #addAmbush(fault: Fault): void {
    const moment = this.#random.pick(MOMENTS);
    this.#ambushes.push({ moment, wait: this.#random.below(3), fault });
  }

  #onMoment(moment: Moment, host: SequencerHost | undefined): void {
    for (const ambush of this.#ambushes) {
      if (ambush.moment !== moment || ambush.wait-- > 0) continue;
      this.#ambushes = this.#ambushes.filter((other) => other !== ambush);
      this.#world.log(() => `fault at ${moment} of ${host?.name ?? 'the snapshotter'}`);
      this.#world.count('ambushes');
      this.#strike(ambush.fault, host);
      return;
    }
  }

  /** Sets fault rates for the entire schedule, different for each path. */
  #setRates(): void {
    const world = this.#world;
    const worst = this.#random.pick([0, 0.02, 0.1, 0.3]);
    world.busFaults.rates = this.#draw(BUS_FAULTS, worst);
    const paths = (path: LogPath): void => {
      path.rates = this.#draw(LOG_FAULTS, worst);
    };
    for (const machine of world.machines) {
      paths(machine.commandsPath);
      paths(machine.eventsPath);
      machine.snapshotFaults.rates = this.#draw(SNAPSHOT_FAULTS, worst);
    }
  }

  #draw<Fault extends string>(faults: readonly Fault[], worst: number): Record<Fault, number> {
    const rates = {} as Record<Fault, number>;
    if (worst === 0) return rates;
    for (const fault of faults) {
      if (this.#random.chance(40)) rates[fault] = (worst * this.#random.below(1_000)) / 1_000;
    }
    return rates;
  }
}
