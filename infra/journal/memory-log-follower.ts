// A follower of the in-memory log. It delivers existing and future messages over a path that can
// lose, repeat, delay, reorder and damage them. Each wake sends everything that has been stored.

import type { Clock } from '../process/index.ts';
import type { LogSubscription } from './log-port.ts';
import { drawMs, happens, type LogPath } from './memory-log-path.ts';

/** How long a follower that cannot reach the log waits before it retries. */
const RECONNECT_MS = 20;

/** Delivered bytes are overwritten with this, which exposes receivers that keep them uncopied. */
const SCRUBBED = 0xdd;

/** The part of the log that a follower uses. */
interface FollowedLog {
  readonly clock: Clock;
  readonly first: number;
  readonly last: number;
  readonly isOut: boolean;
  message(sequence: number): Uint8Array;
  add(follower: MemoryLogFollower): void;
  remove(follower: MemoryLogFollower): void;
}

interface FollowingSettings {
  readonly log: FollowedLog;
  readonly clock: Clock;
  readonly path: LogPath;
  readonly from: number;
  readonly receive: (sequence: number, message: Uint8Array) => void;
}

export class MemoryLogFollower implements LogSubscription {
  readonly #settings: FollowingSettings;
  #next: number;
  #isAwake = false;
  #isStopped = false;

  constructor(settings: FollowingSettings) {
    this.#settings = settings;
    this.#next = settings.from;
    settings.log.add(this);
    this.wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.#settings.log.remove(this);
  }

  /** Called when there may be something to send. */
  wake(): void {
    const { log, path } = this.#settings;
    if (this.#isAwake || this.#isStopped || this.#next > log.last) return;
    this.#isAwake = true;
    const isStalled = happens(path, 'delivery_stalled');
    const stallMs = isStalled ? drawMs(path.random, path.stallMs) : 0;
    log.clock.after(drawMs(path.random, path.delayMs) + stallMs, () => this.#sendAll());
  }

  #sendAll(): void {
    const { log, path } = this.#settings;
    if (this.#isStopped) return;
    if (log.isOut || path.isCut || path.isDeaf) {
      path.onFault(log.isOut ? 'outage' : 'cut');
      log.clock.after(RECONNECT_MS, () => this.#sendAll());
      return;
    }
    this.#next = Math.max(this.#next, log.first);
    while (this.#next <= log.last) this.#send(this.#next++);
    this.#isAwake = false;
  }

  #send(sequence: number): void {
    const { log, path } = this.#settings;
    const message = log.message(sequence);
    if (happens(path, 'delivery_lost')) return;
    if (happens(path, 'delivery_torn')) {
      this.#deliver(sequence, torn(message, path.random));
      this.#deliverLate(sequence, message);
    } else if (happens(path, 'delivery_late')) {
      this.#deliverLate(sequence, message);
    } else {
      this.#deliver(sequence, message);
    }
    if (!happens(path, 'delivery_twice')) return;
    if (path.random() < 0.5) this.#deliver(sequence, message);
    else this.#deliverLate(sequence, message);
  }

  #deliverLate(sequence: number, message: Uint8Array): void {
    const { log, path } = this.#settings;
    log.clock.after(drawMs(path.random, path.lateMs), () => this.#deliver(sequence, message));
  }

  #deliver(sequence: number, message: Uint8Array): void {
    const { clock, receive } = this.#settings;
    clock.soon(() => {
      if (this.#isStopped) return;
      const delivered = new Uint8Array(message);
      receive(sequence, delivered);
      delivered.fill(SCRUBBED);
    });
  }
}

/** Truncated, or with one bit flipped. */
function torn(message: Uint8Array, random: () => number): Uint8Array {
  const at = Math.floor(random() * message.length);
  if (random() < 0.5 || message.length === 0) return message.subarray(0, at);
  const flipped = new Uint8Array(message);
  flipped[at] ^= 1 << Math.floor(random() * 8);
  return flipped;
}
