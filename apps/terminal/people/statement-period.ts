// Days of a statement, in UTC as `2026-01-31`.

const DAY_MS = 86_400_000;

/** The first and the last day of the previous month. */
export function lastMonth(now: Date): { from: string; to: string } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { from: dayOf(Date.UTC(year, month - 1, 1)), to: dayOf(Date.UTC(year, month, 0)) };
}

export function nextDay(day: string): string {
  return dayOf(Date.parse(day) + DAY_MS);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
