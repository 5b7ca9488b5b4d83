// Events of the latest frames, kept by a standby until they are known to be in the EVENTS log. A
// standby that becomes leader continues writing them where the last leader stopped. The tail is
// bounded: a standby that has discarded too much restarts from an older snapshot.

import { agrees, type EventPart, type EventsEnd } from '../../infra/journal/index.ts';

export class EventTail {
  readonly #bytesMax: number;
  #parts: EventPart[] = [];
  #bytes = 0;
  /** The tail has discarded everything up to this frame. */
  #forgotten: number;

  constructor(options: { readonly after: number; readonly bytesMax: number }) {
    this.#forgotten = options.after;
    this.#bytesMax = options.bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(parts: readonly EventPart[]): void {
    for (const part of parts) {
      this.#parts.push(part);
      this.#bytes += part.bytes.length;
    }
    while (this.#bytes > this.#bytesMax) this.#forgetThrough(this.#parts[0].sequence);
  }

  /** Called when EVENTS contains this entire frame. Keeps the frame itself for comparison. */
  discardStored(sequence: number): void {
    if (sequence - 1 > this.#forgotten) this.#forgetThrough(sequence - 1);
  }

  /** Returns the parts that follow the end of the log, or why the tail cannot provide them. */
  after(end: EventsEnd): readonly EventPart[] | 'forgotten' | 'different' {
    const isAvailable = end.isComplete
      ? end.sequence >= this.#forgotten
      : end.sequence > this.#forgotten;
    if (!isAvailable) return 'forgotten';
    if (!this.#parts.every((part) => agrees(part, end))) return 'different';
    return this.#parts.filter(
      ({ part, sequence }) =>
        sequence > end.sequence || (sequence === end.sequence && part > end.part),
    );
  }

  #forgetThrough(sequence: number): void {
    let count = 0;
    while (count < this.#parts.length && this.#parts[count].sequence <= sequence) {
      this.#bytes -= this.#parts[count].bytes.length;
      count++;
    }
    this.#parts = this.#parts.slice(count);
    this.#forgotten = Math.max(this.#forgotten, sequence);
  }
}
