// Percentiles of measured values, with three decimals; 0 without values.

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100));
  return Number((sorted[at] ?? 0).toFixed(3));
}

/** Returns the median of each metric over all rounds. */
export function medians(
  rounds: readonly Readonly<Record<string, number>>[],
): Record<string, number> {
  const of = (name: string) => rounds.map((round) => round[name]);
  return Object.fromEntries(Object.keys(rounds[0]).map((name) => [name, percentile(of(name), 50)]));
}
