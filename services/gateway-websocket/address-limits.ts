// How many sockets an address may have, and how fast it may open them. Forgets an address that has
// none and has not come lately.

import type { Clock } from '../../infra/process/index.ts';

export interface AddressLimitsOptions {
  readonly clock: Clock;
  readonly socketsMax: number;
  readonly socketsPerAddressMax: number;
  /** Of one address: at once, and then for each second. */
  readonly connectsBurst: number;
  readonly connectsPerSecond: number;
}

export type AddressRefusal = 'too_many_sockets' | 'too_many_of_address' | 'too_fast';

interface Known {
  sockets: number;
  /** What is left of the burst, as of that time. */
  left: number;
  atMs: number;
}

const ADDRESSES_KEPT_MAX = 100_000;

export class AddressLimits {
  readonly #options: AddressLimitsOptions;
  readonly #known = new Map<string, Known>();
  #sockets = 0;

  constructor(options: AddressLimitsOptions) {
    this.#options = options;
  }

  get socketCount(): number {
    return this.#sockets;
  }

  /** Undefined when it may have another one, which is to be given back by `leave`. */
  enter(address: string): AddressRefusal | undefined {
    const { clock, connectsBurst, connectsPerSecond, socketsMax } = this.#options;
    if (this.#sockets >= socketsMax) return 'too_many_sockets';
    const nowMs = clock.elapsedMs();
    const known = this.#knownOf(address, nowMs);
    const gained = ((nowMs - known.atMs) / 1_000) * connectsPerSecond;
    known.left = Math.min(connectsBurst, known.left + gained);
    known.atMs = nowMs;
    if (known.sockets >= this.#options.socketsPerAddressMax) return 'too_many_of_address';
    if (known.left < 1) return 'too_fast';
    known.left -= 1;
    known.sockets += 1;
    this.#sockets += 1;
    return undefined;
  }

  leave(address: string): void {
    const known = this.#known.get(address);
    if (known === undefined) return;
    known.sockets -= 1;
    this.#sockets -= 1;
  }

  /** Called now and then. */
  forgetOld(): void {
    const { clock, connectsBurst, connectsPerSecond } = this.#options;
    const fullAfterMs = (connectsBurst / connectsPerSecond) * 1_000;
    const nowMs = clock.elapsedMs();
    for (const [address, { atMs, sockets }] of this.#known) {
      if (sockets === 0 && nowMs - atMs >= fullAfterMs) this.#known.delete(address);
    }
  }

  #knownOf(address: string, nowMs: number): Known {
    let known = this.#known.get(address);
    if (known === undefined) {
      if (this.#known.size >= ADDRESSES_KEPT_MAX) this.forgetOld();
      known = { sockets: 0, left: this.#options.connectsBurst, atMs: nowMs };
      this.#known.set(address, known);
    }
    return known;
  }
}
