// Faults of the drill and their order, from a seed, so a run can be repeated.

import { Random } from '../../flows/index.ts';
import type { FaultKind } from './faults.ts';

export interface Round {
  /** Starts at 1. */
  readonly number: number;
  readonly kind: FaultKind;
  /** Undisturbed time before the fault. */
  readonly calmMs: number;
  /** The archivist is killed at the same moment. */
  readonly killsArchivist: boolean;
}

const FULL: Record<FaultKind, number> = {
  'sequencer-killed': 7,
  'sequencer-stopped': 5,
  rolling: 4,
  'log-leader-killed': 6,
  'log-all-killed': 4,
  'block-flipped': 3,
  'block-truncated': 3,
  'disk-full': 3,
};

const QUICK: readonly FaultKind[] = [
  'sequencer-killed',
  'log-leader-killed',
  'sequencer-stopped',
  'rolling',
];

const ARCHIVIST_PERCENT = 30;

export function planRounds(options: {
  readonly seed: number;
  readonly quick: boolean;
  readonly leftOut: readonly FaultKind[];
  /** If set, only these faults, in this order. */
  readonly chosen?: readonly FaultKind[] | undefined;
}): Round[] {
  const { leftOut, quick, seed } = options;
  const random = new Random(seed);
  const drawn = quick ? QUICK : shuffled(random);
  return (options.chosen ?? drawn)
    .filter((kind) => !leftOut.includes(kind))
    .map((kind, index) => ({
      number: index + 1,
      kind,
      calmMs: quick ? 300 : random.between(1_000, 2_500),
      killsArchivist: random.chance(ARCHIVIST_PERCENT),
    }));
}

/** Parses a comma-separated list of faults. */
export function parseFaults(names: string | undefined): FaultKind[] | undefined {
  return names?.split(',').map((name) => {
    if (Object.hasOwn(FULL, name)) return name as FaultKind;
    throw new Error(`Unknown fault '${name}'. Expected one of: ${Object.keys(FULL).join(', ')}.`);
  });
}

function shuffled(random: Random): FaultKind[] {
  const rest = Object.entries(FULL).flatMap(([kind, count]) =>
    Array.from({ length: count }, () => kind as FaultKind),
  );
  const kinds: FaultKind[] = [];
  while (rest.length > 0) kinds.push(...rest.splice(random.below(rest.length), 1));
  return kinds;
}
