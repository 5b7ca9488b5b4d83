// Open orders that were placed through this gateway, as they were then, so that a cancel can be
// answered without a table. Whoever uses one compares it with an event first, which tells of fills
// since; it does not tell of amendments, so an order that was ever amended must never be here.

import type { OrderState } from '../../../core/market-data/index.ts';
import type { OrderNumber } from '../../../core/money/index.ts';
import type { Bus, Subscription } from '../../../infra/bus/index.ts';
import { RecentEntries } from './recent-entries.ts';

export interface OrderMemoryOptions {
  readonly bus: Bus;
  readonly exchange: string;
  /** The older ones are forgotten beyond it; half of it is always kept. */
  readonly ordersMax: number;
}

/** Some 300 bytes each. */
export const ORDER_MEMORY_DEFAULTS = { ordersMax: 100_000 };

export class OrderMemory {
  readonly #options: OrderMemoryOptions;
  readonly #orders: RecentEntries<OrderNumber, OrderState>;
  /** The last that were amended, by any gateway: an answer under way may still bring one. */
  readonly #amended: RecentEntries<OrderNumber, true>;
  readonly #subject: string;
  readonly #subscription: Subscription;

  constructor(options: OrderMemoryOptions) {
    this.#options = options;
    this.#orders = new RecentEntries(options.ordersMax);
    this.#amended = new RecentEntries(options.ordersMax);
    this.#subject = `${options.exchange}.orders.amending`;
    this.#subscription = options.bus.subscribe(this.#subject, (message) => {
      this.#forget(Number(Buffer.from(message).toString()) as OrderNumber);
    });
  }

  get size(): number {
    return this.#orders.size;
  }

  get(order: OrderNumber): OrderState | undefined {
    return this.#orders.get(order);
  }

  /** As it was just placed. One that has closed already is of no use. */
  keep(order: OrderState): void {
    if (order.closeReason !== undefined || this.#amended.has(order.order)) return;
    this.#orders.set(order.order, order);
  }

  /** It has closed. */
  drop(order: OrderNumber): void {
    this.#orders.delete(order);
  }

  /**
   * Before an amendment is sent: every gateway, this one too, forgets the order. Its message
   * leaves before the command does, so that it is there before anything that follows from that.
   */
  willBeAmended(order: OrderNumber): void {
    this.#forget(order);
    this.#options.bus.publish(this.#subject, Buffer.from(`${order}`));
  }

  /** When messages may have been missed, nothing that is here can be relied on. */
  clear(): void {
    this.#orders.clear();
  }

  stop(): void {
    this.#subscription.stop();
  }

  #forget(order: OrderNumber): void {
    this.#orders.delete(order);
    this.#amended.set(order, true);
  }
}
