// How busy each hour of a day is, by UTC: quiet at night in Europe, busiest when New York opens.

const BY_HOUR = [
  0.85, 0.75, 0.65, 0.6, 0.6, 0.65, 0.75, 0.9, 1.0, 1.05, 1.05, 1.05, 1.15, 1.35, 1.5, 1.5, 1.4,
  1.25, 1.15, 1.1, 1.05, 1.0, 0.95, 0.9,
];
const HOUR_MS = 3_600_000;

/** Interpolated between the middles of the hours. */
export function season(timeMs: number): number {
  const hours = (timeMs / HOUR_MS + 23.5) % 24;
  const hour = Math.floor(hours);
  const part = hours - hour;
  return BY_HOUR[hour] * (1 - part) + BY_HOUR[(hour + 1) % 24] * part;
}
