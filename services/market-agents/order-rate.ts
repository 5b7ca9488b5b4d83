// Keeps the number of orders per second at the dial. Agents have a rate relative to a live market,
// and the resulting number of orders depends on the mode and the market.

/** Orders per second from all agents at rate 1, in a normal market. */
const ORDERS_AT_RATE_1 = 45;
/** Orders arrive in bursts, so the rate follows their mean over about this many looks. */
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

  /** Applies a new dial immediately; looks correct it. */
  set(ordersPerSecond: number): void {
    if (ordersPerSecond === this.#wanted) return;
    this.#rate *= this.#mean > 0 ? ordersPerSecond / this.#wanted : 1;
    if (this.#mean === 0) this.#rate = ordersPerSecond / ORDERS_AT_RATE_1;
    this.#wanted = ordersPerSecond;
    this.#mean = ordersPerSecond;
    this.#limit();
  }

  /** Call regularly, with the orders per second since the last call. */
  look(ordersPerSecond: number): void {
    this.#mean += (ordersPerSecond - this.#mean) / MEMORY;
    const off = this.#wanted / Math.max(this.#mean, 0.01);
    // The square root covers half of the distance at a time, so the rate does not oscillate.
    const step = Math.min(Math.max(Math.sqrt(off), 1 / STEP_MAX), STEP_MAX);
    this.#rate *= step ** (1 / MEMORY);
    this.#limit();
  }

  #limit(): void {
    this.#rate = Math.min(Math.max(this.#rate, RATES.min), RATES.max);
  }
}
