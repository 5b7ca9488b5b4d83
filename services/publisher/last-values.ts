// Stores each subject's last value in the stream: one write in flight per subject, followed only by
// the newest value. Repeats writes without an acknowledgment; does not write equal values.

import { FRAME_HEADER } from '../../infra/live-feed/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import type { Feed } from './feed-port.ts';
import type { WireValue } from './public-json.ts';

export interface LastValuesOptions {
  readonly feed: Feed;
  readonly clock: Clock;
  readonly retryMs: number;
  onStored(bytes: number): void;
}

interface Slot {
  /** As last written. */
  body: string;
  frame: number;
  payload: string;
  /** True if the newest value is not acknowledged yet. */
  isDirty: boolean;
  isInFlight: boolean;
}

export class LastValues {
  readonly #options: LastValuesOptions;
  readonly #slots = new Map<string, Slot>();
  /** The largest acknowledged stream sequence. */
  #lastPlace = 0;
  #inFlightCount = 0;

  constructor(options: LastValuesOptions) {
    this.#options = options;
    options.feed.watch((isConnected) => {
      if (isConnected) this.sendAll();
    });
  }

  get isIdle(): boolean {
    return this.#inFlightCount === 0;
  }

  put(subject: string, { body, end }: WireValue, frame: number): void {
    const slot = this.#slots.get(subject);
    if (slot === undefined) {
      const made = { body, frame, payload: body + end, isDirty: true, isInFlight: false };
      this.#slots.set(subject, made);
      this.#send(subject, made);
      return;
    }
    if (slot.body === body) return;
    Object.assign(slot, { body, frame, payload: body + end, isDirty: true });
    this.#send(subject, slot);
  }

  /** Called when the stream might have lost its values. */
  sendAll(): void {
    for (const [subject, slot] of this.#slots) {
      slot.isDirty = true;
      this.#send(subject, slot);
    }
  }

  /** Compares the stream's extent with the stored values. */
  check(): void {
    if (!this.isIdle || !this.#options.feed.isConnected) return;
    const [count, last] = [this.#slots.size, this.#lastPlace];
    this.#options.feed.storedExtent((extent) => {
      if (extent !== undefined && (extent.count < count || extent.last < last)) {
        this.#lastPlace = 0;
        this.sendAll();
      }
    });
  }

  #send(subject: string, slot: Slot): void {
    const { clock, feed, onStored, retryMs } = this.#options;
    if (slot.isInFlight || !slot.isDirty) return;
    slot.isInFlight = true;
    slot.isDirty = false;
    this.#inFlightCount += 1;
    const headers = { [FRAME_HEADER]: String(slot.frame) };
    feed.storeLastValue(subject, slot.payload, headers, (place) => {
      this.#inFlightCount -= 1;
      if (place !== undefined) {
        this.#lastPlace = Math.max(this.#lastPlace, place);
        slot.isInFlight = false;
        onStored(slot.payload.length);
        this.#send(subject, slot);
        return;
      }
      slot.isDirty = true;
      clock.after(retryMs, () => {
        slot.isInFlight = false;
        this.#send(subject, slot);
      });
    });
  }
}
