// Limits the number of sockets per address and the rate at which an address opens them. Callers
// pass an address group: an IPv6 network counts as one address. Drops an address's rate once its
// burst has refilled.

import { AddressCounts } from '../../infra/access/index.ts';
import { TokenBucket } from '../../infra/limits/index.ts';
import type { Clock } from '../../infra/process/index.ts';

export interface AddressLimitsOptions {
  readonly clock: Clock;
  readonly socketsMax: number;
  readonly socketsPerAddressMax: number;
  /** Burst per address, and its refill per second. */
  readonly connectsBurst: number;
  readonly connectsPerSecond: number;
}

export type AddressRefusal = 'too_many_sockets' | 'too_many_of_address' | 'too_fast';

const ADDRESSES_KEPT_MAX = 100_000;
const CONNECTS_PER_OFFENCE = 10;

export class AddressLimits {
  readonly #options: AddressLimitsOptions;
  readonly #sockets = new AddressCounts();
  readonly #connects = new Map<string, TokenBucket>();
  #socketCount = 0;

  constructor(options: AddressLimitsOptions) {
    this.#options = options;
  }

  get socketCount(): number {
    return this.#socketCount;
  }

  /** Returns undefined if the address can open another socket, which `leave` must release. */
  enter(address: string): AddressRefusal | undefined {
    const { clock, socketsMax, socketsPerAddressMax } = this.#options;
    if (this.#socketCount >= socketsMax) return 'too_many_sockets';
    const nowMs = clock.elapsedMs();
    const connects = this.#connectsOf(address, nowMs);
    if (!this.#sockets.hasRoom(address, socketsPerAddressMax)) return 'too_many_of_address';
    if (connects.leftAt(nowMs) < 1) return 'too_fast';
    connects.use(1, nowMs);
    this.#sockets.add(address, socketsPerAddressMax);
    this.#socketCount += 1;
    return undefined;
  }

  leave(address: string): void {
    if (this.#sockets.of(address) === 0) return;
    this.#sockets.remove(address);
    this.#socketCount -= 1;
  }

  /** Delays further sockets from an address whose socket was closed for repeated offenses. */
  punish(address: string): void {
    const nowMs = this.#options.clock.elapsedMs();
    this.#connectsOf(address, nowMs).use(CONNECTS_PER_OFFENCE, nowMs, this.#options.connectsBurst);
  }

  /** Called periodically. */
  forgetOld(): void {
    const nowMs = this.#options.clock.elapsedMs();
    for (const [address, connects] of this.#connects) {
      if (connects.isFull(nowMs)) this.#connects.delete(address);
    }
  }

  #connectsOf(address: string, nowMs: number): TokenBucket {
    const { connectsBurst: burst, connectsPerSecond: perSecond } = this.#options;
    let connects = this.#connects.get(address);
    if (connects === undefined) {
      if (this.#connects.size >= ADDRESSES_KEPT_MAX) this.forgetOld();
      connects = new TokenBucket({ burst, perSecond }, nowMs);
      this.#connects.set(address, connects);
    }
    return connects;
  }
}
