// The figures of the drill's last line: how often, and how long.

import { type FaultKind, LOG_FAULTS, SEQUENCER_FAULTS } from './faults.ts';

export interface RoundDone {
  readonly kind: FaultKind;
  readonly failoverMs: readonly number[];
  /** The longest time without an acknowledgement, from the fault until all was whole. */
  readonly longestGapMs: number;
  /** Copies of a log in which the servers left a hole; mended by the drill. */
  readonly holes: number;
  /** The whole machine stood still meanwhile: its times say nothing. */
  readonly isDisturbed: boolean;
}

export interface FaultFigures {
  readonly rounds: number;
  readonly failoverMsP50: number;
  readonly failoverMsMax: number;
  readonly longestGapMs: number;
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

/** Of changes of sequencers alone: what an outage of the log takes is the log's own time. */
export function sequencerFailover(done: readonly RoundDone[]) {
  const kinds: readonly FaultKind[] = SEQUENCER_FAULTS;
  const { failoverMsMax, failoverMsP50 } = figuresOf(
    done.filter(({ kind }) => kinds.includes(kind)),
  );
  return { failoverMsP50, failoverMsMax };
}

function figuresOf(rounds: readonly RoundDone[]): FaultFigures {
  const timed = rounds.filter(({ isDisturbed }) => !isDisturbed);
  const times = timed.flatMap(({ failoverMs }) => failoverMs).toSorted((a, b) => a - b);
  return {
    rounds: rounds.length,
    failoverMsP50: Math.round(times[Math.floor((times.length - 1) / 2)] ?? 0),
    failoverMsMax: Math.round(times.at(-1) ?? 0),
    longestGapMs: Math.round(Math.max(0, ...timed.map(({ longestGapMs }) => longestGapMs))),
    holes: rounds.reduce((sum, { holes }) => sum + holes, 0),
  };
}
