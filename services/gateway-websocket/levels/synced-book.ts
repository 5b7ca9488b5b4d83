// One market's full book for its subscribers: requested once, updated by the publisher's changes,
// and requested again after a gap. It must never show a book with a gap.

import type { Watch } from '../../../infra/bus/index.ts';
import type { Clock, Timer } from '../../../infra/process/index.ts';
import { timeText } from '../../../protocol/index.ts';
import { type Frame, textFrame } from '../frame.ts';
import type { MarketChannel } from '../public/market-topic.ts';
import type { ChannelSubscription } from '../topic.ts';
import type { BookAnswer, BookChange, BookLink, BookName } from './book-link.ts';
import type { BookFields, BookState } from './book-state.ts';

export interface SyncedBookOptions extends BookName {
  readonly topic: string;
  readonly book: BookState;
  readonly link: BookLink;
  readonly clock: Clock;
  /** Called when a gap was found and the book is requested again. */
  readonly onGap?: () => void;
}

/** A full book and the changes sent after it, which a new subscriber receives. */
interface Cached {
  readonly full: Frame;
  readonly since: Buffer[];
  sinceBytes: number;
  joined: Frame | undefined;
}

// The publisher sends a heartbeat for a subscribed book every second.
const SILENT_MS_MAX = 5_000;
const ASK_AGAIN_AFTER_MS = 250;
// Changes buffered while a response is pending; beyond this, the oldest is dropped.
const WAITING_CHANGES_MAX = 1_000;
// A new full book is encoded when the changes after the last one are longer than it and this.
const SINCE_BYTES_MIN = 65_536;

/**
 * asking:  the full book was requested; changes are buffered until it arrives.
 * current: each change continues the book. A gap ──▶ asking.
 * closed.
 */
export class SyncedBook implements MarketChannel {
  readonly #options: SyncedBookOptions;
  readonly #subscribers = new Set<ChannelSubscription>();
  readonly #watches: Watch[];
  /** Frame of the book; undefined before the first response. */
  #frame: number | undefined;
  /** Frame of the last message sent. */
  #sequence = 0;
  #isAsking = false;
  #isClosed = false;
  /** Older responses are ignored. */
  #frameNeeded = 0;
  #waiting: BookChange[] = [];
  #cached: Cached | undefined;
  #receivedMs: number;
  #timer: Timer | undefined;
  #askTimer: Timer | undefined;

  constructor(options: SyncedBookOptions) {
    this.#options = options;
    const { clock, link } = options;
    this.#receivedMs = clock.elapsedMs();
    // Subscribe before requesting, to lose no change between the two.
    this.#watches = [
      link.subscribe(options, (change) => this.#onChange(change)),
      link.watchReturns(() => this.#askFor(this.#frame ?? 0)),
    ];
    this.#askFor(0);
    this.#watchSilence();
  }

  subscribe(subscription: ChannelSubscription): void {
    this.#subscribers.add(subscription);
    this.refresh(subscription);
  }

  unsubscribe(subscription: ChannelSubscription): void {
    this.#subscribers.delete(subscription);
  }

  /** Before the first response there is nothing to send; the response goes to all subscribers. */
  refresh(subscription: ChannelSubscription): void {
    if (this.#frame !== undefined) subscription.send(this.#snapshot());
  }

  close(): void {
    this.#isClosed = true;
    for (const watch of this.#watches) watch.stop();
    this.#timer?.cancel();
    this.#askTimer?.cancel();
  }

  #onChange(change: BookChange): void {
    if (this.#isClosed) return;
    this.#receivedMs = this.#options.clock.elapsedMs();
    if (this.#isAsking) {
      // Dropping the oldest leaves a gap, which is detected.
      if (this.#waiting.length >= WAITING_CHANGES_MAX) this.#waiting.shift();
      this.#waiting.push(change);
      return;
    }
    const { frame, payload, previous } = change;
    const known = this.#frame!;
    // A repeat, or already part of the full book.
    if (frame <= known) return;
    if (previous > known) {
      this.#options.onGap?.();
      this.#waiting = [change];
      this.#askFor(previous);
      return;
    }
    this.#frame = frame;
    const fields = payload === '' ? undefined : this.#options.book.apply(payload);
    if (fields !== undefined) this.#send(fields);
  }

  #askFor(frameNeeded: number): void {
    this.#frameNeeded = Math.max(this.#frameNeeded, frameNeeded);
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#ask();
  }

  #ask(): void {
    this.#options.link.ask(this.#options, (answer) => {
      if (this.#isClosed) return;
      if (answer !== undefined && answer.frame >= this.#frameNeeded) this.#load(answer);
      else this.#askTimer = this.#options.clock.after(ASK_AGAIN_AFTER_MS, () => this.#ask());
    });
  }

  #load({ frame, payload }: BookAnswer): void {
    const isDifferent = this.#options.book.load(payload);
    this.#frame = frame;
    this.#frameNeeded = frame;
    this.#isAsking = false;
    this.#receivedMs = this.#options.clock.elapsedMs();
    if (isDifferent) {
      this.#sequence = frame;
      this.#cached = undefined;
      for (const subscription of this.#subscribers) subscription.send(this.#snapshot());
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const change of waiting) this.#onChange(change);
  }

  #send(change: BookFields): void {
    const previous = this.#sequence;
    this.#sequence = this.#frame!;
    const frame = this.#frameOf('update', `"previous":${previous},`, change);
    if (this.#cached !== undefined) this.#keep(this.#cached, frame);
    for (const subscription of this.#subscribers) subscription.send(frame);
  }

  #keep(cached: Cached, { bytes }: Frame): void {
    cached.since.push(bytes);
    cached.sinceBytes += bytes.length;
    cached.joined = undefined;
    const most = Math.max(cached.full.bytes.length, SINCE_BYTES_MIN);
    if (cached.sinceBytes > most) this.#cached = undefined;
  }

  /** One chunk, even if it has several messages, so they are sent or dropped together. */
  #snapshot(): Frame {
    this.#cached ??= {
      since: [],
      sinceBytes: 0,
      joined: undefined,
      full: this.#frameOf('partial', '', this.#options.book.full()),
    };
    const { since, full } = this.#cached;
    if (since.length === 0) return full;
    this.#cached.joined ??= { bytes: Buffer.concat([full.bytes, ...since]) };
    return this.#cached.joined;
  }

  #frameOf(action: 'partial' | 'update', head: string, { fields, timeMs }: BookFields): Frame {
    const { clock, symbol, topic } = this.#options;
    const time = Math.floor(clock.nowMs() / 1_000);
    return textFrame(
      `{"topic":"${topic}","action":"${action}","symbol":"${symbol}","data":{${head}` +
        `"sequence":${this.#sequence},"timestamp":"${timeText(timeMs)}",${fields}},"time":${time}}`,
    );
  }

  #watchSilence(): void {
    const { clock } = this.#options;
    this.#timer = clock.after(SILENT_MS_MAX, () => {
      const isSilent = clock.elapsedMs() - this.#receivedMs >= SILENT_MS_MAX;
      if (isSilent && !this.#isAsking) this.#askFor(this.#frame ?? 0);
      this.#watchSilence();
    });
  }
}
