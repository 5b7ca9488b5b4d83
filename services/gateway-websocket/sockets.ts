// All sockets on a gateway and their periodic checks: disconnects idle and stuck sockets and those
// with revoked or expired credentials, and adds new markets to subscriptions to an entire topic.

import type { Caller } from '../../features/auth/index.ts';
import type { Revocation } from '../../infra/access/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import type { CloseReason } from '../../protocol/index.ts';
import {
  type SocketDependencies,
  StreamSocket,
  type StreamSocketOptions,
} from './stream-socket.ts';

export interface SocketsOptions {
  readonly clock: Clock;
  readonly dependencies: SocketDependencies;
  /** A socket that sends nothing for this long is closed. */
  readonly idleMs: number;
  /** Changes whenever markets might have been listed. */
  listed(): unknown;
  /** Called every `idleMs`. */
  onSweep(): void;
}

const TICK_EVERY_MS = 1_000;
// A tick later than this indicates a stalled event loop.
const LATE_MS = 500;

export class Sockets {
  readonly #options: SocketsOptions;
  readonly #all = new Set<StreamSocket>();
  #timer: Timer | undefined;
  readonly #tickMs: number;
  #ids = 0;
  #listed: unknown;
  #tickedMs: number;
  /** How long the event loop has run. Stalled time does not count against clients. */
  #runningMs = 0;
  #sweptMs = 0;

  constructor(options: SocketsOptions) {
    this.#options = options;
    this.#listed = options.listed();
    this.#tickMs = Math.min(TICK_EVERY_MS, options.idleMs);
    this.#tickedMs = options.clock.elapsedMs();
    this.#tickLater();
  }

  get count(): number {
    return this.#all.size;
  }

  get callerCount(): number {
    let count = 0;
    for (const { caller } of this.#all) if (caller !== undefined) count += 1;
    return count;
  }

  get subscriptionCount(): number {
    let count = 0;
    for (const socket of this.#all) count += socket.subscriptionCount;
    return count;
  }

  open(options: Omit<StreamSocketOptions, 'id' | 'dependencies'>): StreamSocket {
    this.#ids += 1;
    const { dependencies } = this.#options;
    const socket = new StreamSocket({ ...options, dependencies, id: this.#ids });
    this.#all.add(socket);
    return socket;
  }

  closed(socket: StreamSocket): void {
    socket.end();
    this.#all.delete(socket);
  }

  revoke({ key, session, user }: Revocation): void {
    for (const socket of [...this.#all]) {
      const { caller } = socket;
      if (caller === undefined) continue;
      const isAll = key === 0 && session === 0;
      const isOfUser = user === 0 || caller.user === user;
      if (!isOfUser && !caller.relatedUsers.includes(user)) continue;
      const isTarget =
        isAll ||
        (key !== 0 && caller.key === key) ||
        (session !== 0 && (caller.session === session || caller.openedBy === session));
      if (isTarget) socket.close('revoked');
    }
  }

  /** Closes the matching callers' sockets; undefined means a public socket. */
  closeWhere(isTarget: (caller: Caller | undefined) => boolean, why: CloseReason): void {
    for (const socket of [...this.#all]) if (isTarget(socket.caller)) socket.close(why);
  }

  /** Closes every socket with the reason `stopping`. */
  closeAll(): void {
    this.#timer?.cancel();
    for (const socket of [...this.#all]) socket.close('stopping');
  }

  #tickLater(): void {
    this.#timer = this.#options.clock.after(this.#tickMs, () => {
      this.#tickLater();
      this.#tick();
    });
  }

  #tick(): void {
    const { clock, idleMs } = this.#options;
    const nowMs = clock.elapsedMs();
    const isLate = nowMs - this.#tickedMs > this.#tickMs + LATE_MS;
    this.#tickedMs = nowMs;
    this.#runningMs += this.#tickMs;
    for (const socket of [...this.#all]) {
      socket.tick(this.#runningMs);
      // After a stall, unread client messages might be queued, so these clients are not idle.
      if (socket.idleMs(this.#runningMs) >= idleMs && !isLate) socket.close('idle');
    }
    if (this.#runningMs - this.#sweptMs >= idleMs) this.#sweep();
    const listed = this.#options.listed();
    if (listed === this.#listed) return;
    this.#listed = listed;
    for (const socket of this.#all) socket.subscribeToNew();
  }

  #sweep(): void {
    this.#sweptMs = this.#runningMs;
    this.#options.onSweep();
  }
}
