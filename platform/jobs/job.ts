// A scheduled job. It works in small batches until nothing is left to do, and may be repeated or
// killed at any instruction. Times are compared with the clock that the caller passes.

import type { Statements, withConnection } from '../../infra/postgres/index.ts';
import type { Vault } from '../vault/index.ts';

export interface JobContext {
  readonly pool: Statements & Parameters<typeof withConnection>[0];
  readonly vault: Vault;
  readonly nowMs: number;
  /** How long closed accounts keep their personal data. */
  readonly retentionMs: number;
  /** Rows of one batch. */
  readonly batch: number;
  /** The schema of the projected tables, in the same database. */
  readonly projectionSchema: string;
}

export interface Job {
  readonly name: string;
  /** Minute, hour, day, month and weekday, in UTC. */
  readonly schedule: string;
  /** Returns the number of rows that it changed. */
  run(context: JobContext): Promise<number>;
}

/**
 * Deletes the rows of a table that were over for `keptMs`. The condition has the time as $1. The
 * rows are not locked first: that needs the right to change them, which the notifier has not.
 */
export function deleting(table: string, condition: string, keptMs: number): Job['run'] {
  return ({ batch, nowMs, pool }) =>
    inBatches(batch, async () => {
      const { rowCount } = await pool.query(
        `delete from ${table} where ctid = any(array(
           select ctid from ${table} where ${condition} limit $2))`,
        [new Date(nowMs - keptMs), batch],
      );
      return rowCount ?? 0;
    });
}

/** Repeats the step until it changes fewer rows than a batch has. */
export async function inBatches(batch: number, step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await step();
    total += count;
    if (count < batch) return total;
  }
}

export async function untilNothing(step: () => Promise<number>): Promise<number> {
  return inBatches(1, step);
}
