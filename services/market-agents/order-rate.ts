// Keeps the number of orders per second at the dial: agents know a rate relative to a live market,
// and how many orders that gives depends on the mode and on the market.

/** Orders of all agents per second at rate 1, in a normal market. */
const ORDERS_AT_RATE_1 = 45;
/** Orders arrive in bursts: the rate follows their mean over about this many looks. */
const MEMORY = 5;
const STEP_MAX = 1.25;
const RATES = { min: 0.005, max: 1_000 };

export class OrderRate {
  #wanted = 0;
  #rate = 1;
  #mean = 0;

  get rate(): number {
    return this.#rate;
  }

  /** A new dial takes effect at once; looks correct it. */
  set(ordersPerSecond: number): void {
    if (ordersPerSecond === this.#wanted) return;
    this.#rate *= this.#mean > 0 ? ordersPerSecond / this.#wanted : 1;
    if (this.#mean === 0) this.#rate = ordersPerSecond / ORDERS_AT_RATE_1;
    this.#wanted = ordersPerSecond;
    this.#mean = ordersPerSecond;
    this.#limit();
  }

  /** Call it regularly, with the orders per second since the last time. */
  look(ordersPerSecond: number): void {
    this.#mean += (ordersPerSecond - this.#mean) / MEMORY;
    const off = this.#wanted / Math.max(this.#mean, 0.01);
    // The root: half of the distance at a time, so that it does not swing.
    const step = Math.min(Math.max(Math.sqrt(off), 1 / STEP_MAX), STEP_MAX);
    this.#rate *= step ** (1 / MEMORY);
    this.#limit();
  }

  #limit(): void {
    this.#rate = Math.min(Math.max(this.#rate, RATES.min), RATES.max);
  }
}
