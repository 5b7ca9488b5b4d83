// The cursor: how far the tables are, kept in the same transaction as the rows. It moves only from
// where it is believed to be; when it is elsewhere, somebody else projects.

import { NO_HASH } from '../../infra/journal/index.ts';
import type { Connection } from '../../infra/postgres/index.ts';

export interface Cursor {
  /** The last message of the EVENTS log that is in the tables; 0 before the first. */
  readonly eventsSequence: number;
  readonly chainHash: Uint8Array;
  /** The last part of that message. */
  readonly frameSequence: number;
  readonly part: number;
  readonly isComplete: boolean;
  /** How many events of that frame are in. */
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

/** The tables are not where this process left them. */
export class CursorMoved extends Error {
  override readonly name = 'CursorMoved';
}

/** All events of this frame are in the tables. */
export function completeFrame({ frameSequence, isComplete }: Cursor): number {
  return isComplete ? frameSequence : frameSequence - 1;
}

export function sameCursor(one: Cursor, other: Cursor): boolean {
  return (
    one.eventsSequence === other.eventsSequence &&
    Buffer.compare(one.chainHash, other.chainHash) === 0
  );
}

/** Puts down the beginning in a fresh schema. Says where the tables are. */
export async function readCursor(
  connection: Connection,
  ordersPerPartition: number,
): Promise<{ cursor: Cursor; ordersPerPartition: number }> {
  await connection.query(
    `insert into projection (events_sequence, chain_hash, frame_sequence, part, is_complete,
       frame_events, projected_to, orders_per_partition)
     values (0, $1, 0, 0, true, 0, to_timestamp(0), $2) on conflict do nothing`,
    [Buffer.from(NO_HASH), ordersPerPartition],
  );
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

/** Begins the transaction and moves the cursor, so that whoever else projects waits behind it. */
export async function beginAndMove(
  connection: Connection,
  { before, after }: { readonly before: Cursor; readonly after: Cursor },
): Promise<void> {
  // One message instead of two. Only numbers and hexadecimal digits are put into the text.
  const text = `begin; update projection set
    events_sequence = ${after.eventsSequence}, chain_hash = '${hex(after.chainHash)}',
    frame_sequence = ${after.frameSequence}, part = ${after.part},
    is_complete = ${after.isComplete}, frame_events = ${after.frameEvents},
    projected_to = to_timestamp(${after.timeMs}::numeric / 1000)
    where events_sequence = ${before.eventsSequence} and chain_hash = '${hex(before.chainHash)}'`;
  const results = (await connection.query(text)) as unknown as { rowCount: number }[];
  if (results[1].rowCount !== 1) {
    throw new CursorMoved(`the tables are not at message ${before.eventsSequence}`);
  }
}

function hex(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}
