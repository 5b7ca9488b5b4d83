// Writes frames to one socket. Frames go to the network at once and are never queued here: if too
// much is unsent, frames that a snapshot can replace are dropped, and a snapshot follows later.

import { type CloseReason, closeReasons } from '../../protocol/index.ts';
import type { Frame } from './frame.ts';

/** The network side of a socket. */
export interface Wire {
  /** False from the moment that closing begins. */
  readonly isOpen: boolean;
  /** Written, but not yet accepted by the network. */
  readonly waitingBytes: number;
  /** Changes whenever the network has accepted some of the waiting bytes. */
  readonly mark: number;
  write(bytes: Buffer): void;
  /** Writes between `cork` and `uncork` go out together. */
  cork(): void;
  uncork(): void;
  close(code?: number, reason?: string): void;
  /** Later messages of the client cost nothing more. */
  stopReading(): void;
  /** At once, without a close frame. */
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
  /** With more waiting bytes, frames that a snapshot can replace are conflated. */
  readonly waitingBytesMax: number;
  /** With more waiting bytes, the socket is closed, because nothing may be lost. */
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

  /** False if the frame was dropped: `what` is refreshed as soon as there is room. */
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

  /** The subscription has ended. */
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

  /** The network has accepted the waiting bytes: conflated subscriptions get a snapshot each. */
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
      // A close frame would wait behind the unsent data.
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
