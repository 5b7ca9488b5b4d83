// Sees to it that every row finds its partition: those a batch needs before it is written, and the
// next ones well before they are needed. Remembers what is there, so that it rarely asks.

import {
  makeMonthPartitions,
  makeOrderPartition,
  monthOf,
  orderPartition,
  type Session,
} from '../../infra/postgres/index.ts';
import type { Batch } from './batch.ts';

/** The next month's partitions are made so long before. */
const AHEAD_MS = 7 * 24 * 3_600_000;

export class PartitionKeeper {
  readonly ordersPerPartition: number;
  readonly #orders = new Set<number>();
  readonly #months = new Set<number>();

  constructor(ordersPerPartition: number) {
    this.ordersPerPartition = ordersPerPartition;
  }

  async ensureFor(session: Session, { after, months, orders }: Batch): Promise<void> {
    for (const month of months) await this.#ensureMonth(session, month);
    const [min, max] = orders.placedRange ?? [];
    if (min !== undefined && max !== undefined) await this.#ensureOrders(session, min, max);
    if (months.size > 0) await this.#ensureMonth(session, monthOf(after.timeMs + AHEAD_MS));
  }

  /** What comes next after so many commands, half a partition ahead. */
  async #ensureOrders(session: Session, min: number, max: number): Promise<void> {
    const first = orderPartition(min, this.ordersPerPartition);
    const ahead = max + Math.floor(this.ordersPerPartition / 2);
    const last = orderPartition(ahead, this.ordersPerPartition);
    for (let partition = first; partition <= last; partition++) {
      if (this.#orders.has(partition)) continue;
      await makeOrderPartition(session, partition, this.ordersPerPartition);
      this.#orders.add(partition);
    }
  }

  async #ensureMonth(session: Session, month: number): Promise<void> {
    if (this.#months.has(month)) return;
    await makeMonthPartitions(session, month);
    this.#months.add(month);
  }
}
