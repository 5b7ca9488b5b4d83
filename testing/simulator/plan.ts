// The parameters of a schedule before any fault: number of processes, latencies, limits. All are
// drawn from the schedule's seed.

import type { DelayRange } from '../../infra/journal/memory-log-path.ts';
import type { Random } from '../flows/index.ts';

export interface Plan {
  /** Their names. */
  readonly sequencers: readonly string[];
  readonly clients: number;
  /** Commands of all clients together, without floods. */
  readonly commands: number;
  /** How long the trouble lasts. */
  readonly troubleMs: number;
  /** Clocks that agree are a trouble of their own: two processes may do the same at once. */
  readonly skewMsMax: number;
  readonly commandsDelayMs: DelayRange;
  /** Slow, it has events under way whenever something happens. */
  readonly eventsDelayMs: DelayRange;
  readonly busLateMs: DelayRange;
  /** How often a process changes between the bus and a line; 0 in schedules without links. */
  readonly linkChangeRate: number;
  /** Small, it makes a leader wait for the EVENTS log. */
  readonly eventBytesMax: number;
  /** Small, it makes a leader refuse batches as busy. */
  readonly waitingCommandsMax: number;
  readonly snapshotEveryFrames: number;
  readonly snapshotsKept: number;
  /** Floods are dear, so only some schedules have them. */
  readonly isFlooded: boolean;
}

const FAST: DelayRange = { leastMs: 0.1, mostMs: 1 };
const SLOW: DelayRange = { leastMs: 2, mostMs: 20 };

export function drawPlan(random: Random): Plan {
  return {
    sequencers: ['a', 'b', 'c'].slice(0, random.between(2, 3)),
    clients: random.between(2, 4),
    commands: random.between(80, 300),
    troubleMs: random.between(1_000, 4_000),
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
  };
}
