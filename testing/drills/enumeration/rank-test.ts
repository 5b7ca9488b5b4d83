// Tests whether two samples of times differ: the Mann–Whitney rank test, and the difference of
// their medians with a confidence interval.

import { Random } from '../../flows/index.ts';

export interface Comparison {
  /** Milliseconds. */
  readonly knownMedian: number;
  readonly unknownMedian: number;
  /** 95% confidence interval for the difference of the medians, by resampling. */
  readonly differenceFrom: number;
  readonly differenceTo: number;
  /** Two-sided: the probability of such ranks if both samples have the same distribution. */
  readonly p: number;
}

const RESAMPLES = 1_000;

export function compare(known: readonly number[], unknown: readonly number[]): Comparison {
  const random = new Random(1);
  const differences = Array.from(
    { length: RESAMPLES },
    () => median(resample(known, random)) - median(resample(unknown, random)),
  ).toSorted((one, other) => one - other);
  return {
    knownMedian: rounded(median(known)),
    unknownMedian: rounded(median(unknown)),
    differenceFrom: rounded(differences[Math.floor(RESAMPLES * 0.025)]),
    differenceTo: rounded(differences[Math.floor(RESAMPLES * 0.975)]),
    p: rounded(rankTest(known, unknown)),
  };
}

/**
 * Returns the two-sided p of the rank test, with the normal approximation and a correction for
 * ties.
 */
export function rankTest(one: readonly number[], other: readonly number[]): number {
  const all = [
    ...one.map((value) => ({ value, isOne: true })),
    ...other.map((value) => ({ value, isOne: false })),
  ].toSorted((a, b) => a.value - b.value);
  let rankSum = 0;
  let ties = 0;
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && all[to].value === all[from].value) to += 1;
    const rank = (from + 1 + to) / 2;
    const count = to - from;
    rankSum += rank * all.slice(from, to).filter(({ isOne }) => isOne).length;
    ties += count ** 3 - count;
    from = to;
  }
  const [n, m, total] = [one.length, other.length, all.length];
  const u = rankSum - (n * (n + 1)) / 2;
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)));
  if (variance === 0) return 1;
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt(variance);
  return 2 * upperTail(z);
}

/**
 * Returns the area of the normal distribution above z: Abramowitz and Stegun 26.2.17, error below
 * 1e-7.
 */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function resample(values: readonly number[], random: Random): number[] {
  return values.map(() => random.pick(values));
}

function rounded(value: number): number {
  return Number(value.toFixed(4));
}
