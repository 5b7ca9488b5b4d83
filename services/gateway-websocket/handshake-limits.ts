// Limits connections that have not completed their handshake: how many, per address and in total,
// and for how long. When all places are taken, the oldest connection yields: a client completes its
// handshake within a round trip, and only attackers wait.

import { AddressCounts } from '../../infra/access/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';

export interface HandshakeLimitsOptions {
  readonly clock: Clock;
  readonly handshakesMax: number;
  readonly handshakesPerAddressMax: number;
  readonly handshakeMs: number;
}

export interface Connection {
  destroy(): void;
  once(event: 'close', task: () => void): unknown;
}

interface Waiting {
  readonly group: string | undefined;
  readonly timer: Timer;
}

export class HandshakeLimits {
  readonly #options: HandshakeLimitsOptions;
  /** In the order of arrival. */
  readonly #waiting = new Map<Connection, Waiting>();
  readonly #counts = new AddressCounts();

  constructor(options: HandshakeLimitsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#waiting.size;
  }

  /**
   * False if the connection was closed at once. Without a group, as for a trusted proxy, only the
   * total counts.
   */
  connected(connection: Connection, group: string | undefined): boolean {
    const { clock, handshakeMs, handshakesMax, handshakesPerAddressMax } = this.#options;
    if (group !== undefined && !this.#counts.add(group, handshakesPerAddressMax)) {
      connection.destroy();
      return false;
    }
    if (this.#waiting.size >= handshakesMax) this.#dropOldest();
    const timer = clock.after(handshakeMs, () => connection.destroy());
    this.#waiting.set(connection, { group, timer });
    connection.once('close', () => this.completed(connection));
    return true;
  }

  /** The handshake is complete, or the connection is closed. May be called again. */
  completed(connection: Connection): void {
    const waiting = this.#waiting.get(connection);
    if (waiting === undefined) return;
    this.#waiting.delete(connection);
    waiting.timer.cancel();
    if (waiting.group !== undefined) this.#counts.remove(waiting.group);
  }

  #dropOldest(): void {
    const [oldest] = this.#waiting.keys();
    if (oldest === undefined) return;
    this.completed(oldest);
    oldest.destroy();
  }
}
