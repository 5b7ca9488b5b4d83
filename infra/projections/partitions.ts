// Partitions, created before they are needed by functions of the schema, which run with the rights
// of its owner. A row's partition follows from its number or month alone.

import { assertPlainName, type Connection } from '../postgres/index.ts';

/** The partition of orders that holds this number, counted from 0. */
export function orderPartition(number: number, ordersPerPartition: number): number {
  return Math.floor(number / ordersPerPartition);
}

/** The table of a partition of orders: an update that names it touches no other. */
export function orderPartitionTable(partition: number): string {
  return `orders_${String(partition).padStart(6, '0')}`;
}

/** Months since the year 0, in UTC. */
export function monthOf(timeMs: number): number {
  const time = new Date(timeMs);
  return time.getUTCFullYear() * 12 + time.getUTCMonth();
}

export async function makeOrderPartition(
  connection: Connection,
  partition: number,
  ordersPerPartition: number,
): Promise<void> {
  await connection.query('select make_order_partition($1, $2)', [partition, ordersPerPartition]);
}

/** Creates the partitions of trades, fills and ledger entries. */
export async function makeMonthPartitions(connection: Connection, month: number): Promise<void> {
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  const first = `${year}-${String((month % 12) + 1).padStart(2, '0')}-01`;
  await connection.query('select make_month_partitions($1)', [first]);
}

/**
 * The functions that create partitions, which run with the rights of their owner. They see one
 * schema; call it after the schema was renamed.
 */
export async function bindPartitionFunctions(
  connection: Connection,
  schema: string,
): Promise<void> {
  assertPlainName(schema);
  for (const name of [...PARTITION_FUNCTIONS, 'attach_partition(text, text, text, text, text)']) {
    await connection.query(
      `alter function ${schema}.${name} set search_path = pg_catalog, ${schema}, pg_temp`,
    );
  }
}

/** The projector calls them. */
export const PARTITION_FUNCTIONS = [
  'make_order_partition(bigint, bigint)',
  'make_month_partitions(date)',
] as const;
