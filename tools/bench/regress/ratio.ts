// Statistics for regress: the median of window ratios with a 95% interval that assumes no
// distribution, because the noise of a busy machine has none that is known.

export interface Ratio {
  /** Processor time per unit of the working tree, divided by that of the base. */
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

export function ratioOf(ratios: readonly number[]): Ratio {
  const count = ratios.length;
  if (count < WINDOWS_MIN) {
    throw new RangeError(`expected at least ${WINDOWS_MIN} windows, received ${count}`);
  }
  const sorted = ratios.toSorted((one, other) => one - other);
  const reach = RANKS_PER_ROOT * Math.sqrt(count);
  const median = (sorted[Math.ceil(count / 2) - 1] + sorted[Math.floor(count / 2)]) / 2;
  return {
    ratio: rounded(median),
    low: rounded(sorted[Math.floor(count / 2 - reach) - 1]),
    high: rounded(sorted[Math.ceil(count / 2 + reach)]),
    windows: count,
  };
}

/** Whether the working tree is slower beyond doubt. */
export function isTooSlow({ low }: Ratio): boolean {
  return low > RATIO_MAX;
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
