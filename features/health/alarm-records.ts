// Recorded alarms: when each opened and closed. The monitor writes them.

import type { Statements } from '../../infra/postgres/index.ts';
import type { Alarm, Severity } from './health-facts.ts';

/** From the opening of an alarm to its end. */
export interface AlarmEpisode extends Alarm {
  readonly openedMs: number;
  /** Undefined while it is open. */
  readonly closedMs: number | undefined;
}

export async function readOpenAlarms(statements: Statements): Promise<AlarmEpisode[]> {
  const { rows } = await statements.query(
    'select * from alarms where closed_at is null order by opened_at, id',
  );
  return rows.map((row) => ({
    name: row.name,
    object: row.object,
    severity: row.severity as Severity,
    detail: row.detail,
    openedMs: row.opened_at.getTime(),
    closedMs: undefined,
  }));
}

/** Updates a recorded alarm: its severity can rise, and its end comes later. */
export async function writeAlarm(statements: Statements, episode: AlarmEpisode): Promise<void> {
  const { closedMs, detail, name, object, openedMs, severity } = episode;
  const closedAt = closedMs === undefined ? null : new Date(closedMs);
  await statements.query(
    `insert into alarms (name, object, severity, detail, opened_at, closed_at)
     values ($1, $2, $3, $4, $5, null)
     on conflict (name, object) where closed_at is null do update set
       severity = excluded.severity, detail = excluded.detail`,
    [name, object, severity, detail, new Date(openedMs)],
  );
  if (closedAt === null) return;
  await statements.query(
    `update alarms set closed_at = $3 where name = $1 and object = $2 and closed_at is null`,
    [name, object, closedAt],
  );
}

/** The monitor publishes the health document here every second; gateways keep the last one. */
export function healthSubject(exchange: string): string {
  return `${exchange}.health`;
}
