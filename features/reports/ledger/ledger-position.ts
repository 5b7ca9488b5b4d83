// A position in the ledger: everything up to a frame, and nothing of a later one. Frames and the
// times of their entries increase together, so a time is found by bisecting the frames.

import { assertPlainName, type Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';

/** A frame, or a time including everything at or before it; undefined for the end of the tables. */
export type AsOf = { readonly frame: number } | { readonly at: Date } | undefined;

export interface Position {
  /** Last included frame; for a time, the last one with entries. */
  readonly frame: number;
  /** Time of the last included entry; the start of time if there is none. */
  readonly at: Date;
  /** False while the tables can still get entries that count. */
  readonly isFinal: boolean;
}

/** Uses only frames that are completely in the tables. */
export async function findPosition(
  statements: Statements,
  schema: string,
  asOf: AsOf,
): Promise<Position | Refused<'frame_not_reached'>> {
  assertPlainName(schema);
  const { rows } = await statements.query(PROJECTED(schema));
  const last = Number(rows[0]?.frame ?? 0);
  if (asOf === undefined) return positionAt(statements, schema, last);
  if ('frame' in asOf) {
    if (asOf.frame > last) return new Refused('frame_not_reached', { frame: last });
    return positionAt(statements, schema, asOf.frame);
  }
  const found = await statements.query(FRAME_AT(schema), [last, asOf.at]);
  const { at, lastEntry } = await positionAt(statements, schema, Number(found.rows[0].frame));
  const isFinal = rows.length > 0 && asOf.at < rows[0].projected_to;
  return { frame: lastEntry, at, isFinal };
}

async function positionAt(
  statements: Statements,
  schema: string,
  frame: number,
): Promise<Position & { readonly lastEntry: number }> {
  const { rows } = await statements.query(
    `select frame, recorded_at from ${schema}.ledger_entries where frame <= $1
     order by frame desc limit 1`,
    [frame],
  );
  const [last] = rows;
  const lastEntry = Number(last?.frame ?? 0);
  return { frame, at: last?.recorded_at ?? new Date(0), isFinal: true, lastEntry };
}

const PROJECTED = (schema: string) => `
  select case when is_complete then frame_sequence else frame_sequence - 1 end as frame,
    projected_to
  from ${schema}.projection`;

/**
 * $1 the last frame, $2 the time. Entries up to `low` are never after the time, entries after
 * `high` always are.
 */
const FRAME_AT = (schema: string) => `
  with recursive bounds (low, high) as (
    select 0::bigint, $1::bigint
    union all
    select case when is_before then middle else low end,
      case when is_before then high else middle - 1 end
    from bounds
    cross join lateral (select (low + high + 1) / 2 as middle) halved
    cross join lateral (
      select coalesce((
        select e.recorded_at <= $2::timestamptz from ${schema}.ledger_entries e
        where e.frame <= middle order by e.frame desc limit 1
      ), true) as is_before
    ) probed
    where low < high
  )
  select low as frame from bounds where low = high`;
