// Counts and durations in the drill's last line.

import { type FaultKind, LOG_FAULTS, SEQUENCER_FAULTS } from './faults.ts';

export interface RoundDone {
  readonly kind: FaultKind;
  readonly failoverMs: readonly number[];
  /** Longest time without an acknowledgment, from the fault until everything was healthy. */
  readonly longestGapMs: number;
  /** Log replicas in which the servers left a hole; repaired by the drill. */
  readonly holes: number;
  /** The machine was suspended during the round, so its times are not valid. */
  readonly isDisturbed: boolean;
}

export interface FaultFigures {
  readonly rounds: number;
  /** Null if no round could be timed. */
  readonly failoverMsP50: number | null;
  readonly failoverMsMax: number | null;
  readonly longestGapMs: number | null;
  readonly holes: number;
}

export function figuresByFault(
  done: readonly RoundDone[],
): Partial<Record<FaultKind, FaultFigures>> {
  const kinds = [...SEQUENCER_FAULTS, ...LOG_FAULTS];
  return Object.fromEntries(
    kinds
      .map((kind) => [kind, done.filter((one) => one.kind === kind)] as const)
      .filter(([, rounds]) => rounds.length > 0)
      .map(([kind, rounds]) => [kind, figuresOf(rounds)]),
  );
}

/** Returns sequencer failover times, without log outages. */
export function sequencerFailover(done: readonly RoundDone[]) {
  const kinds: readonly FaultKind[] = SEQUENCER_FAULTS;
  const { failoverMsMax, failoverMsP50 } = figuresOf(
    done.filter(({ kind }) => kinds.includes(kind)),
  );
  return { failoverMsP50, failoverMsMax };
}

export function longestGap(rounds: readonly RoundDone[]): number | null {
  const timed = rounds.filter(({ isDisturbed }) => !isDisturbed);
  return rounded(
    timed
      .map(({ longestGapMs }) => longestGapMs)
      .toSorted((a, b) => a - b)
      .at(-1),
  );
}

function rounded(timeMs: number | undefined): number | null {
  return timeMs === undefined ? null : Math.round(timeMs);
}

function figuresOf(rounds: readonly RoundDone[]): FaultFigures {
  const timed = rounds.filter(({ isDisturbed }) => !isDisturbed);
  const times = timed.flatMap(({ failoverMs }) => failoverMs).toSorted((a, b) => a - b);
  return {
    rounds: rounds.length,
    failoverMsP50: rounded(times[Math.floor((times.length - 1) / 2)]),
    failoverMsMax: rounded(times.at(-1)),
    longestGapMs: longestGap(rounds),
    holes: rounds.reduce((sum, { holes }) => sum + holes, 0),
  };
}
