// Position of the tables in the log, stored in the same transaction as the rows. It moves only from
// the position that this process expects; otherwise another projector is running.

import { LogRefused, NO_HASH } from '../../infra/journal/index.ts';
import type { Connection } from '../../infra/postgres/index.ts';

export interface Cursor {
  /** Last EVENTS message that is in the tables; 0 before the first. */
  readonly eventsSequence: number;
  readonly chainHash: Uint8Array;
  /** The last part of that message. */
  readonly frameSequence: number;
  readonly part: number;
  readonly isComplete: boolean;
  /** Number of that frame's events in the tables. */
  readonly frameEvents: number;
  readonly timeMs: number;
}

export const NO_CURSOR: Cursor = {
  eventsSequence: 0,
  chainHash: NO_HASH,
  frameSequence: 0,
  part: 0,
  isComplete: true,
  frameEvents: 0,
  timeMs: 0,
};

/** Another process has moved the tables' cursor. */
export class CursorMoved extends Error {
  override readonly name = 'CursorMoved';
}

/** Returns the last frame whose events are all in the tables. */
export function completeFrame({ frameSequence, isComplete }: Cursor): number {
  return isComplete ? frameSequence : frameSequence - 1;
}

export function sameCursor(one: Cursor, other: Cursor): boolean {
  return (
    one.eventsSequence === other.eventsSequence &&
    Buffer.compare(one.chainHash, other.chainHash) === 0
  );
}

/**
 * Reads the cursor, or creates the first one in a new schema. Throws LogRefused if the tables
 * belong to another exchange's log.
 */
export async function readCursor(
  connection: Connection,
  first: { readonly exchangeId: string | undefined; readonly ordersPerPartition: number },
): Promise<{ cursor: Cursor; ordersPerPartition: number }> {
  await connection.query(
    `insert into projection (events_sequence, chain_hash, frame_sequence, part, is_complete,
       frame_events, projected_to, orders_per_partition)
     values (0, $1, 0, 0, true, 0, to_timestamp(0), $2) on conflict do nothing`,
    [Buffer.from(NO_HASH), first.ordersPerPartition],
  );
  await bindTables(connection, first.exchangeId);
  const { rows } = await connection.query(
    `select events_sequence, chain_hash, frame_sequence, part, is_complete, frame_events,
       (extract(epoch from projected_to) * 1000)::bigint as time_ms, orders_per_partition
     from projection`,
  );
  const [row] = rows;
  const cursor: Cursor = {
    eventsSequence: Number(row.events_sequence),
    chainHash: new Uint8Array(row.chain_hash),
    frameSequence: Number(row.frame_sequence),
    part: Number(row.part),
    isComplete: row.is_complete,
    frameEvents: Number(row.frame_events),
    timeMs: Number(row.time_ms),
  };
  return { cursor, ordersPerPartition: Number(row.orders_per_partition) };
}

async function bindTables(connection: Connection, exchangeId: string | undefined): Promise<void> {
  if (exchangeId === undefined) return;
  const { rows } = await connection.query(
    `update projection set exchange_id = coalesce(exchange_id, $1)
     returning exchange_id, frame_sequence`,
    [exchangeId],
  );
  const [{ exchange_id: found, frame_sequence }] = rows;
  if (found === exchangeId) return;
  const sentence = `The log belongs to exchange ${exchangeId}, but the tables to ${found}.`;
  throw new LogRefused('foreign', `${sentence} They have its frames up to ${frame_sequence}.`);
}

/** Begins the transaction and moves the cursor first, so another projector blocks on it. */
export async function beginAndMove(
  connection: Connection,
  { before, after }: { readonly before: Cursor; readonly after: Cursor },
): Promise<void> {
  // One round trip instead of two. The text contains only numbers and hexadecimal digits.
  const text = `begin; update projection set
    events_sequence = ${after.eventsSequence}, chain_hash = '${hex(after.chainHash)}',
    frame_sequence = ${after.frameSequence}, part = ${after.part},
    is_complete = ${after.isComplete}, frame_events = ${after.frameEvents},
    projected_to = to_timestamp(${after.timeMs}::numeric / 1000)
    where events_sequence = ${before.eventsSequence} and chain_hash = '${hex(before.chainHash)}'`;
  // The driver returns one result per statement, which its types do not express.
  const results: unknown = await connection.query(text);
  if (!Array.isArray(results) || results[1].rowCount !== 1) {
    throw new CursorMoved(
      `the tables are no longer at message ${before.eventsSequence}: another projector moved them`,
    );
  }
}

function hex(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}
