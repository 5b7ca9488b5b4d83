// A follower of the in-memory log: delivers what is there and what comes, over a path that may
// lose, repeat, delay, reorder and tear. It moves in wakes: each sends all that has been stored.

import type { Clock } from '../process/index.ts';
import type { LogSubscription } from './log-port.ts';
import type { MemoryLog } from './memory-log.ts';
import { drawMs, happens, type LogPath } from './memory-log-path.ts';

/** How long a follower that cannot reach the log waits before it tries again. */
const RECONNECT_MS = 20;

/** Delivered bytes are overwritten with this: whoever keeps them without a copy shall notice. */
const SCRUBBED = 0xdd;

interface FollowingSettings {
  readonly log: MemoryLog;
  readonly clock: Clock;
  readonly path: LogPath;
  readonly from: number;
  readonly receive: (sequence: number, message: Uint8Array) => void;
}

export class MemoryFollowing implements LogSubscription {
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

  /** There may be something to send. */
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
    if (log.isOut || path.isCut) {
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

/** Cut short, or with one bit turned. */
function torn(message: Uint8Array, random: () => number): Uint8Array {
  const at = Math.floor(random() * message.length);
  if (random() < 0.5 || message.length === 0) return message.subarray(0, at);
  const flipped = new Uint8Array(message);
  flipped[at] ^= 1 << Math.floor(random() * 8);
  return flipped;
}
