// Compares the EVENTS log with the events of the replay: each part once, in order, with the same
// bytes, in one chain, and none missing.

import { hash } from 'node:crypto';
import {
  decodeEventBatch,
  EventBatchFault,
  type EventPart,
  equalBytes,
  NO_HASH,
} from '../../../infra/journal/index.ts';
import type { MadePart } from './straight-replay.ts';

export class EventsJudge {
  /** Faults found, one sentence each. */
  readonly faults: string[] = [];
  readonly #made: readonly MadePart[];
  #next = 0;
  #batches = 0;
  #hash: Uint8Array = NO_HASH;

  constructor(made: readonly MadePart[]) {
    this.#made = made;
  }

  /** Reads the next message of the log. */
  read(message: Uint8Array): void {
    this.#batches++;
    try {
      const batch = decodeEventBatch(message);
      if (!equalBytes(batch.previousHash, this.#hash)) {
        this.faults.push(`event batch ${this.#batches} does not continue the previous one`);
      }
      this.#hash = batch.hash;
      for (const part of batch.parts) this.#compare(part);
    } catch (fault) {
      if (!(fault instanceof EventBatchFault)) throw fault;
      this.faults.push(`event batch ${this.#batches}: ${fault.message}`);
    }
  }

  end(): void {
    const missing = this.#made.length - this.#next;
    if (missing > 0) this.faults.push(`the EVENTS log ends ${missing} parts too early`);
  }

  #compare({ bytes, isLast, part, sequence }: EventPart): void {
    const made = this.#made[this.#next];
    const isNext =
      made !== undefined &&
      made.sequence === sequence &&
      made.part === part &&
      made.isLast === isLast;
    if (!isNext) {
      const wanted = made === undefined ? 'the end' : `${made.sequence}.${made.part}`;
      this.faults.push(`the EVENTS log has frame ${sequence}.${part}, expected ${wanted}`);
      // One gap or repeat is one fault, not one for every later part.
      this.#next = this.#placeOf(sequence, part);
    } else if (made.sha256 !== hash('sha256', bytes)) {
      this.faults.push(`the stored events of frame ${sequence}.${part} are wrong`);
    }
    this.#next++;
  }

  #placeOf(sequence: number, part: number): number {
    const place = this.#made.findIndex((one) => one.sequence === sequence && one.part === part);
    return place === -1 ? this.#next : place;
  }
}
