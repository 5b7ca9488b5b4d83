// One direction of one connection: what is sent later arrives later, however the delays fall. The
// in-memory log and the simulator's bus are made of these.

import type { Clock } from '../process/index.ts';

export class InOrder {
  readonly #clock: Clock;
  readonly #underWay: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Each arrival takes the oldest that is under way, so a short delay overtakes nothing. */
  send(delayMs: number, arrive: () => void): void {
    this.#underWay.push(arrive);
    this.#clock.after(delayMs, () => this.#underWay.shift()?.());
  }
}
