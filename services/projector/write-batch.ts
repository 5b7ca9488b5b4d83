// The transaction for a batch: moves the cursor, writes each table in bulk, and commits. The
// partitions that it needs are created first, in separate transactions.

import { type Connection, columnArrays } from '../../infra/postgres/index.ts';
import type { Batch } from './batch.ts';
import { beginAndMove } from './cursor.ts';
import type { KnownRows } from './known-rows.ts';
import type { PartitionKeeper } from './partition-keeper.ts';

export interface WritingState {
  readonly known: KnownRows;
  readonly partitions: PartitionKeeper;
}

/** Throws CursorMoved if the tables are not at the batch's start. */
export async function writeBatch(
  connection: Connection,
  batch: Batch,
  { known, partitions }: WritingState,
): Promise<void> {
  await partitions.ensureFor(connection, batch);
  try {
    await beginAndMove(connection, batch);
    for (const { text, values } of batch.statements) await connection.query(text, [...values]);
    await batch.orders.write(connection, partitions.ordersPerPartition);
    await batch.trades.copy(connection);
    await batch.fills.copy(connection);
    await batch.deposits.copy(connection);
    await batch.preventedOrders.copy(connection);
    await batch.accounts.write(connection, known);
    await batch.candles.write(connection);
    await batch.switches.write(connection);
    await writeMinutes(connection, batch.minutes, known);
    await connection.query('commit');
  } catch (fault) {
    // If the connection is lost, the server rolls back.
    await connection.query('rollback').catch(() => {});
    throw fault;
  }
  batch.accounts.remember(known);
  known.minuteMs = Math.max(known.minuteMs, ...batch.minutes.keys());
  const { accounts, deposits, fills, preventedOrders, trades } = batch;
  for (const rows of [trades, fills, deposits, preventedOrders, accounts.entries]) rows.release();
}

const INSERT_MINUTES = `
  insert into minutes (start, first_command)
  select * from unnest($1::timestamptz[], $2::bigint[]) on conflict do nothing`;

async function writeMinutes(
  connection: Connection,
  minutes: ReadonlyMap<number, number>,
  known: KnownRows,
): Promise<void> {
  const columns = columnArrays(['start', 'command']);
  for (const [startMs, firstCommand] of minutes) {
    if (startMs <= known.minuteMs) continue;
    columns.start.addTime(startMs);
    columns.command.add(firstCommand);
  }
  if (columns.start.count === 0) return;
  const values = [columns.start.literal, columns.command.literal];
  await connection.query({ name: 'minutes', text: INSERT_MINUTES, values });
}
