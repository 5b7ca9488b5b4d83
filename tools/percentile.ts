// Percentiles of measured values, with three decimals; 0 without values.

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const at = Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100));
  return Number((sorted[at] ?? 0).toFixed(3));
}
