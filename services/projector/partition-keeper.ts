// Creates partitions: those that a batch needs before it is written, and the next ones ahead of
// time. Caches the existing partitions, so it rarely accesses the database.

import type { Connection } from '../../infra/postgres/index.ts';
import {
  makeMonthPartitions,
  makeOrderPartition,
  monthOf,
  orderPartition,
} from '../../infra/projections/index.ts';
import type { Batch } from './batch.ts';

/** How long before a month its partitions are created. */
const AHEAD_MS = 7 * 24 * 3_600_000;

export class PartitionKeeper {
  readonly ordersPerPartition: number;
  readonly #orders = new Set<number>();
  readonly #months = new Set<number>();

  constructor(ordersPerPartition: number) {
    this.ordersPerPartition = ordersPerPartition;
  }

  async ensureFor(connection: Connection, { after, months, orders }: Batch): Promise<void> {
    for (const month of months) await this.#ensureMonth(connection, month);
    const [min, max] = orders.placedRange ?? [];
    if (min !== undefined && max !== undefined) await this.#ensureOrders(connection, min, max);
    if (months.size > 0) await this.#ensureMonth(connection, monthOf(after.timeMs + AHEAD_MS));
  }

  /** Creates partitions half a partition ahead of the highest order number. */
  async #ensureOrders(connection: Connection, min: number, max: number): Promise<void> {
    const first = orderPartition(min, this.ordersPerPartition);
    const ahead = max + Math.floor(this.ordersPerPartition / 2);
    const last = orderPartition(ahead, this.ordersPerPartition);
    for (let partition = first; partition <= last; partition++) {
      if (this.#orders.has(partition)) continue;
      await makeOrderPartition(connection, partition, this.ordersPerPartition);
      this.#orders.add(partition);
    }
  }

  async #ensureMonth(connection: Connection, month: number): Promise<void> {
    if (this.#months.has(month)) return;
    await makeMonthPartitions(connection, month);
    this.#months.add(month);
  }
}
