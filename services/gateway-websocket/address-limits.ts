// Limits the number of sockets of an address and the rate at which it opens them. Callers pass the
// group of an address: an IPv6 network counts as one. The rate of an address is dropped once its
// burst has refilled.

import { AddressCounts } from '../../infra/access/index.ts';
import { TokenBucket } from '../../infra/limits/index.ts';
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

  /** Undefined if the address may open another socket; the caller must release it with `leave`. */
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

  /** A socket of the address was closed for its offences: it has to wait for further ones. */
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
