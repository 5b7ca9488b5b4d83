// Days of the exchange: midnights in the time zone named in the kit. Rewards are counted by these
// days. UTC unless the kit names an existing zone.

import type { Statements } from '../../infra/postgres/index.ts';

/** A date, for example `2026-11-16`. Later days are greater texts. */
export type Day = string;

export const DEFAULT_ZONE = 'UTC';

export async function readZone(statements: Statements): Promise<string> {
  const { rows } = await statements.query(`select content ->> 'timezone' as zone from kit`);
  const zone = rows[0]?.zone ?? DEFAULT_ZONE;
  return isZone(zone) ? zone : DEFAULT_ZONE;
}

export async function readToday(statements: Statements, nowMs: number): Promise<Day> {
  return dayOf(nowMs, await readZone(statements));
}

export function dayOf(timeMs: number, zone: string): Day {
  const parts = formatOf(zone).formatToParts(timeMs);
  const part = (type: string) => parts.find((one) => one.type === type)!.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** Returns the first instant of a day. */
export function midnightOf(day: Day, zone: string): Date {
  const utcMs = Date.parse(`${day}T00:00:00Z`);
  // A zone's offset is at most 14 hours, and its clocks change by quarters of an hour.
  const QUARTER_MS = 900_000;
  for (let timeMs = utcMs - 15 * 4 * QUARTER_MS; ; timeMs += QUARTER_MS) {
    if (dayOf(timeMs, zone) >= day) return new Date(timeMs);
  }
}

export function dayAfter(day: Day, days = 1): Day {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** By zone, because creating one is slow. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(zone, format);
  }
  return format;
}

function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}
