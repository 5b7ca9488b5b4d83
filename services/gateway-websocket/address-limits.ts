// Limits the number of sockets of an address and the rate at which it opens them. Callers pass the
// group of an address: an IPv6 network counts as one. An address without sockets is dropped once
// its burst has refilled.

import type { Clock } from '../../infra/process/index.ts';

export interface AddressLimitsOptions {
  readonly clock: Clock;
  readonly socketsMax: number;
  readonly socketsPerAddressMax: number;
  /** Per address: the burst, and the refill per second. */
  readonly connectsBurst: number;
  readonly connectsPerSecond: number;
}

export type AddressRefusal = 'too_many_sockets' | 'too_many_of_address' | 'too_fast';

interface Known {
  sockets: number;
  /** The remaining burst at `atMs`. */
  left: number;
  atMs: number;
}

const ADDRESSES_KEPT_MAX = 100_000;
const CONNECTS_PER_OFFENCE = 10;

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

  /** Undefined if the address may open another socket; the caller must release it with `leave`. */
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

  /** A socket of the address was closed for its offences: it has to wait for further ones. */
  punish(address: string): void {
    const known = this.#knownOf(address, this.#options.clock.elapsedMs());
    known.left = Math.max(-this.#options.connectsBurst, known.left - CONNECTS_PER_OFFENCE);
  }

  /** Called periodically. */
  forgetOld(): void {
    const { clock, connectsBurst, connectsPerSecond } = this.#options;
    // From the largest debt.
    const fullAfterMs = ((2 * connectsBurst) / connectsPerSecond) * 1_000;
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
