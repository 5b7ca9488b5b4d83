// Open orders placed through this gateway, as placed, so a cancel needs no table. Callers first
// compare an order with an event, which reveals later fills. Events do not reveal amendments, so an
// amended order must never be in this memory.

import type { OrderState } from '../../core/market-data/index.ts';
import type { OrderNumber } from '../../core/money/index.ts';
import type { Bus, Subscription } from '../../infra/bus/index.ts';
import { RecentEntries } from './recent-entries.ts';

export interface OrderMemoryOptions {
  readonly bus: Bus;
  readonly exchange: string;
  /** Above this number the oldest are dropped; half of it is always kept. */
  readonly ordersMax: number;
}

/** About 300 bytes each. */
export const ORDER_MEMORY_DEFAULTS = { ordersMax: 100_000 };

export class OrderMemory {
  readonly #options: OrderMemoryOptions;
  readonly #orders: RecentEntries<OrderNumber, OrderState>;
  /** Recently amended orders, by any gateway: a pending response might still bring one. */
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

  /** Stores an order as placed, unless it has already closed. */
  keep(order: OrderState): void {
    if (order.closeReason !== undefined || this.#amended.has(order.order)) return;
    this.#orders.set(order.order, order);
  }

  /** Removes a closed order. */
  drop(order: OrderNumber): void {
    this.#orders.delete(order);
  }

  /**
   * Call it before sending an amendment: every gateway, including this one, drops the order. The
   * message is sent before the command, so it arrives before any effect of the command.
   */
  willBeAmended(order: OrderNumber): void {
    this.#forget(order);
    this.#options.bus.publish(this.#subject, Buffer.from(`${order}`));
  }

  /** After missed messages, no order here can be trusted. */
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
