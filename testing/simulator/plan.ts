// Parameters of a schedule: the number of machines, the delays of their paths, and limits. All are
// drawn from the schedule's seed.

import type { DelayRange } from '../../infra/journal/memory-log-path.ts';
import type { Random } from '../flows/index.ts';
import type { ReleaseName } from './releases.ts';

export interface Plan {
  /** Names of the sequencers. */
  readonly sequencers: readonly string[];
  readonly clients: number;
  /** Commands of all clients in total, without floods. */
  readonly commands: number;
  /** How long faults are injected. */
  readonly faultsMs: number;
  /** Equal clocks are also a fault: two processes might do the same at the same time. */
  readonly skewMsMax: number;
  readonly commandsDelayMs: DelayRange;
  /** If slow, events are in flight whenever a fault occurs. */
  readonly eventsDelayMs: DelayRange;
  readonly busLateMs: DelayRange;
  /** How often a process switches between the bus and a direct link; 0 without links. */
  readonly linkChangeRate: number;
  /** If small, a leader has to wait for the EVENTS log. */
  readonly eventBytesMax: number;
  /** If small, a leader rejects batches as busy. */
  readonly waitingCommandsMax: number;
  readonly snapshotEveryFrames: number;
  readonly snapshotsKept: number;
  /** Floods are expensive, so only some schedules have them. */
  readonly isFlooded: boolean;
  /** Faults to inject one at a time instead of many together, as random numbers; often none. */
  readonly trials: readonly number[];
  /** All sequencers have the same label, like containers from one image. */
  readonly areNamesEqual: boolean;
  /** Work per 1,024 bytes of a frame and of a snapshot. */
  readonly frameMsPerKib: number;
  readonly snapshotMsPerKib: number;
  /** One clock in each schedule can be wrong by hours: a sequencer's or the log's. */
  readonly wrongClock: number;
  /** Rules version of the new log. */
  readonly rulesVersion: number;
  /** Release of some of the sequencers; undefined if all run the current one. */
  readonly otherRelease: ReleaseName | undefined;
  /** Uncrossing step per frame in schedules with auctions; 0 without auctions. */
  readonly auctionStep: number;
}

/** Releases are expensive to load, so only some schedules have a second one. */
const RELEASES: readonly (ReleaseName | undefined)[] = [
  ...Array.from({ length: 29 }, () => undefined),
  'next',
  'next',
  'careless',
];

const FAST: DelayRange = { leastMs: 0.1, mostMs: 1 };
const SLOW: DelayRange = { leastMs: 2, mostMs: 20 };

export function drawPlan(random: Random): Plan {
  return {
    sequencers: ['a', 'b', 'c'].slice(0, random.between(2, 3)),
    clients: random.between(2, 4),
    commands: random.between(80, 300),
    faultsMs: random.between(1_000, 4_000),
    skewMsMax: random.pick([0, 3, 100]),
    commandsDelayMs: random.pick([FAST, FAST, SLOW]),
    eventsDelayMs: random.pick([FAST, SLOW]),
    busLateMs: { leastMs: 5, mostMs: random.pick([400, 2_500]) },
    linkChangeRate: random.pick([0, 0.02, 0.3]),
    eventBytesMax: random.pick([24_000, 64_000]),
    waitingCommandsMax: random.pick([40, 450]),
    snapshotEveryFrames: random.between(3, 20),
    snapshotsKept: random.between(1, 3),
    isFlooded: random.chance(12),
    trials: drawTrials(random),
    areNamesEqual: random.chance(25),
    frameMsPerKib: random.pick([0, 0.2, 2]),
    snapshotMsPerKib: random.pick([0, 0.2, 2]),
    wrongClock: random.below(4),
    rulesVersion: random.pick([1, 2, 3]),
    otherRelease: random.pick(RELEASES),
    auctionStep: random.pick([0, 0, 1, 3]),
  };
}

function drawTrials(random: Random): number[] {
  if (!random.chance(35)) return [];
  return Array.from({ length: random.between(1, 2) }, () => random.word());
}
