// Statistics for regress: the median of window ratios with a 95% interval that assumes no
// distribution, because the noise on a busy machine has no known one. The interval includes the
// median of every round: in one process, the compiler or the memory layout can favor one side.

export interface Ratio {
  /** Processor time per unit in the working tree, divided by that in the base. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly windows: number;
}

/** A lower bound above this fails the run. */
export const RATIO_MAX = 1.05;
/** With fewer windows, the interval would cover less than 95%. */
const WINDOWS_MIN = 10;
/** Half of 1.96: the standard deviation of a rank is half the root of the count. */
const RANKS_PER_ROOT = 0.98;

/** One list of window ratios per round. */
export function ratioOf(rounds: readonly (readonly number[])[]): Ratio {
  const sorted = ascending(rounds.flat());
  const windows = sorted.length;
  if (windows < WINDOWS_MIN) {
    throw new RangeError(`expected at least ${WINDOWS_MIN} windows, received ${windows}`);
  }
  const reach = RANKS_PER_ROOT * Math.sqrt(windows);
  const medians = rounds.map((ratios) => medianOf(ascending(ratios)));
  return {
    ratio: rounded(medianOf(sorted)),
    low: rounded(Math.min(sorted[Math.floor(windows / 2 - reach) - 1], ...medians)),
    high: rounded(Math.max(sorted[Math.ceil(windows / 2 + reach)], ...medians)),
    windows,
  };
}

/** Returns whether the working tree is significantly slower. */
export function isTooSlow({ low }: Ratio): boolean {
  return low > RATIO_MAX;
}

function ascending(values: readonly number[]): number[] {
  return values.toSorted((one, other) => one - other);
}

function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
