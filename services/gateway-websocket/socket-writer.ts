// What one socket is sent. Frames go to the network at once; when too much waits there, whatever a
// snapshot can replace is left out and made good later, and nothing is ever queued here.

import { type CloseReason, closeReasons } from '../../protocol/index.ts';
import type { Frame } from './frame.ts';

/** The network's side of a socket. */
export interface Wire {
  /** False from the moment in which closing begins. */
  readonly isOpen: boolean;
  /** Written, but not taken by the network. */
  readonly waitingBytes: number;
  /** Another number whenever the network has taken something of what waits. */
  readonly mark: number;
  write(bytes: Buffer): void;
  /** What is written in between goes out together. */
  cork(): void;
  uncork(): void;
  close(code?: number, reason?: string): void;
  /** At once, without a word. */
  terminate(): void;
}

/** What sockets count together; whoever makes metrics of it reads it now and then. */
export interface Traffic {
  frames: number;
  bytes: number;
  conflated: number;
  refreshed: number;
}

export interface SocketWriterLimits {
  /** Beyond this, nothing more is sent that a snapshot can replace. */
  readonly waitingBytesMax: number;
  /** Beyond this, the socket is closed rather than that something is lost. */
  readonly waitingBytesOfAllMax: number;
  /** A socket that takes nothing for so long is hung up on. */
  readonly stuckAfterMs: number;
}

/** Something that is sent through an writer and can be made good by a snapshot. */
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
    /** Called before the socket is closed from here. */
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

  /** False when it was left out: then `what` is refreshed as soon as there is room. */
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

  /** What must not be lost. */
  sendOrClose(frame: Frame): void {
    if (!this.#wire.isOpen) return;
    if (this.#wire.waitingBytes > this.#limits.waitingBytesOfAllMax) this.close('tooSlow');
    else this.#write(frame);
  }

  /** Nobody wants it any more. */
  forget(what: Replaceable): void {
    this.#stale.delete(what);
  }

  /** Many frames at once, as one piece. */
  batch(task: () => void): void {
    this.#wire.cork();
    try {
      task();
    } finally {
      this.#wire.uncork();
    }
  }

  /** The network has taken what waited: those that missed something get a snapshot each. */
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

  /** Called now and then. */
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
      // A close frame would only wait behind the rest.
      this.#wire.terminate();
    }
  }

  close(why: CloseReason): void {
    if (!this.#wire.isOpen) return;
    this.#onClose(why);
    const { code, reason } = closeReasons[why];
    this.#wire.close(code, reason);
  }

  #write({ bytes }: Frame): void {
    this.#traffic.frames += 1;
    this.#traffic.bytes += bytes.length;
    this.#wire.write(bytes);
  }
}
