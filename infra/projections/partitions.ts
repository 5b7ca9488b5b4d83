// Partitions, created before they are needed. A finished table is attached to its parent, which
// blocks neither readers nor writers. A row's partition follows from its number or month alone.

import type { Connection } from '../postgres/index.ts';

export const MONTHLY_TABLES = ['trades', 'fills', 'ledger_entries'] as const;

/** Free space on each page for updates of its orders. */
const ORDERS_FILLFACTOR = 80;

interface Partition {
  readonly parent: string;
  readonly name: string;
  /** As SQL literals. */
  readonly from: string;
  readonly to: string;
}

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
  const from = partition * ordersPerPartition;
  const to = from + ordersPerPartition;
  const name = orderPartitionTable(partition);
  await attach(connection, { parent: 'orders', name, from: `${from}`, to: `${to}` });
}

export async function makeMonthPartitions(connection: Connection, month: number): Promise<void> {
  const [from, to] = [monthText(month), monthText(month + 1)];
  for (const parent of MONTHLY_TABLES) {
    const name = `${parent}_${from.slice(0, 7).replace('-', '_')}`;
    await attach(connection, { parent, name, from: `'${from}'`, to: `'${to}'` });
  }
}

function monthText(month: number): string {
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}-01 00:00:00+00`;
}

async function attach(
  connection: Connection,
  { from, name, parent, to }: Partition,
): Promise<void> {
  const found = await connection.query('select to_regclass($1) is not null as found', [name]);
  if (found.rows[0].found) return;
  const storage = parent === 'orders' ? ` with (fillfactor = ${ORDERS_FILLFACTOR})` : '';
  await connection.query(
    `create table ${name} (like ${parent} including defaults including constraints)${storage};
     alter table ${parent} attach partition ${name} for values from (${from}) to (${to})`,
  );
}
