// Limits connections with an incomplete handshake, per address and in total, and their time. When
// the limit is reached, the oldest connection is closed: a client completes its handshake within a
// round trip, and only attackers delay theirs.

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
  /** In order of arrival. */
  readonly #waiting = new Map<Connection, Waiting>();
  readonly #counts = new AddressCounts();

  constructor(options: HandshakeLimitsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#waiting.size;
  }

  /**
   * Returns false if the connection was closed immediately. Without a group (a trusted proxy), only
   * the total counts.
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

  /** Called when the handshake is complete or the connection is closed. Can be called again. */
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
