// Writes frames to one socket. Sends frames immediately and never queues them here: if too much is
// unsent, it drops frames that a snapshot can replace, and a snapshot follows later.

import { type CloseReason, closeReasons } from '../../protocol/index.ts';
import type { Frame } from './frame.ts';

/** The network side of a socket. */
export interface Wire {
  /** False as soon as closing begins. */
  readonly isOpen: boolean;
  /** Bytes written, but not yet accepted by the network. */
  readonly waitingBytes: number;
  /** Changes whenever the network has accepted some of the waiting bytes. */
  readonly mark: number;
  write(bytes: Buffer): void;
  /** Writes between `cork` and `uncork` are sent together. */
  cork(): void;
  uncork(): void;
  close(code?: number, reason?: string): void;
  /** Stops parsing the client's messages. */
  stopReading(): void;
  /** Disconnects immediately, without a close frame. */
  terminate(): void;
}

/** Counters shared by all sockets, read periodically for metrics. */
export interface Traffic {
  frames: number;
  bytes: number;
  conflated: number;
  refreshed: number;
}

export interface SocketWriterLimits {
  /** Above this many unsent bytes, frames that a snapshot can replace are conflated. */
  readonly waitingBytesMax: number;
  /** Above this many unsent bytes, the socket is closed, because no frame may be lost. */
  readonly waitingBytesOfAllMax: number;
  /** A socket that accepts no data for this long is terminated. */
  readonly stuckAfterMs: number;
}

/** A subscription whose missed frames a snapshot can replace. */
export interface Replaceable {
  refresh(): void;
}

export class SocketWriter {
  readonly #wire: Wire;
  readonly #limits: SocketWriterLimits;
  readonly #traffic: Traffic;
  readonly #onClose: (reason: CloseReason) => void;
  readonly #stale = new Set<Replaceable>();
  #mark = 0;
  #stuckSinceMs: number | undefined;

  constructor(options: {
    readonly wire: Wire;
    readonly limits: SocketWriterLimits;
    readonly traffic: Traffic;
    /** Called before the writer closes the socket. */
    readonly onClose: (reason: CloseReason) => void;
  }) {
    this.#wire = options.wire;
    this.#limits = options.limits;
    this.#traffic = options.traffic;
    this.#onClose = options.onClose;
  }

  get isOpen(): boolean {
    return this.#wire.isOpen;
  }

  /** Returns false if the frame was dropped; then `what` is refreshed as soon as there is room. */
  sendConflated(frame: Frame, what: Replaceable): boolean {
    if (!this.#wire.isOpen) return false;
    const isStale = this.#stale.size > 0 && this.#stale.has(what);
    if (isStale || this.#wire.waitingBytes > this.#limits.waitingBytesMax) {
      if (!isStale) this.#stale.add(what);
      this.#traffic.conflated += 1;
      return false;
    }
    this.#write(frame);
    return true;
  }

  /** For frames that must not be lost. */
  sendOrClose(frame: Frame): void {
    if (!this.#wire.isOpen) return;
    if (this.#wire.waitingBytes > this.#limits.waitingBytesOfAllMax) this.close('tooSlow');
    else this.#write(frame);
  }

  /** Called when the subscription has ended. */
  forget(what: Replaceable): void {
    this.#stale.delete(what);
  }

  /** Writes several frames as one chunk. */
  batch(task: () => void): void {
    this.#wire.cork();
    try {
      task();
    } finally {
      this.#wire.uncork();
    }
  }

  /**
   * Called when the network has accepted the unsent bytes. Each conflated subscription gets a
   * snapshot.
   */
  onDrain(): void {
    if (this.#stale.size === 0) return;
    this.batch(() => {
      for (const what of this.#stale) {
        if (!this.#wire.isOpen || this.#wire.waitingBytes > this.#limits.waitingBytesMax) return;
        this.#stale.delete(what);
        this.#traffic.refreshed += 1;
        what.refresh();
      }
    });
  }

  /** Called periodically. */
  tick(nowMs: number): void {
    if (!this.#wire.isOpen) return;
    const { mark, waitingBytes } = this.#wire;
    if (waitingBytes === 0 || mark !== this.#mark) {
      this.#mark = mark;
      this.#stuckSinceMs = waitingBytes === 0 ? undefined : nowMs;
    } else if (this.#stuckSinceMs === undefined) {
      this.#stuckSinceMs = nowMs;
    } else if (nowMs - this.#stuckSinceMs >= this.#limits.stuckAfterMs) {
      this.#onClose('tooSlow');
      // A close frame would be stuck behind the unsent data.
      this.#wire.terminate();
    }
  }

  close(why: CloseReason): void {
    if (!this.#wire.isOpen) return;
    this.#onClose(why);
    const { code, reason } = closeReasons[why];
    this.#wire.close(code, reason);
    if (why === 'tooMuch') this.#wire.stopReading();
  }

  #write({ bytes }: Frame): void {
    this.#traffic.frames += 1;
    this.#traffic.bytes += bytes.length;
    this.#wire.write(bytes);
  }
}
