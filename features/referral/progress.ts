// How far the batches have counted the log, and how far the log is projected.

import type { Connection, Statements } from '../../infra/postgres/index.ts';

/** A frame of the log and its time. */
export interface LogPosition {
  readonly frame: number;
  readonly time: Date;
}

/** Returns the last frame that is completely in the tables, or undefined if there is none. */
export async function projectedTo(
  statements: Statements,
  projectionSchema: string,
): Promise<LogPosition | undefined> {
  const { rows } = await statements.query(
    `select case when is_complete then frame_sequence else frame_sequence - 1 end as frame,
       projected_to as time
     from ${projectionSchema}.projection`,
  );
  return rows.map(positionOf)[0];
}

/**
 * Returns the end of the last batch, locked until the transaction ends. The first call ever creates
 * it: counting starts at the currently projected frame.
 */
export async function lockProgress(
  connection: Connection,
  projectionSchema: string,
  mode: 'share' | 'update',
): Promise<LogPosition | undefined> {
  const found = await read(connection, mode);
  if (found !== undefined) return found;
  const start = await projectedTo(connection, projectionSchema);
  if (start === undefined) return undefined;
  await connection.query(
    'insert into referral_progress (frame, time) values ($1, $2) on conflict do nothing',
    [start.frame, start.time],
  );
  return read(connection, mode);
}

async function read(
  connection: Connection,
  mode: 'share' | 'update',
): Promise<LogPosition | undefined> {
  const { rows } = await connection.query(`select frame, time from referral_progress for ${mode}`);
  return rows.map(positionOf)[0];
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function positionOf(row: any): LogPosition {
  return { frame: Number(row.frame), time: row.time };
}
