// Appends the events of frames to the EVENTS log, as many as are waiting, with one batch in flight.
// Small batches keep a gap, because each message has a fixed cost in the log and every follower.
// A deposed leader may append the same events in different batches: when a batch is refused, the
// writer asks the log for its end and continues from there. No events are missing or repeated.

import { outlineFrame } from '../../core/messages/index.ts';
import type { Clock, Timer } from '../process/index.ts';
import {
  decodeEventBatch,
  EVENT_BATCH_BYTES_MAX,
  EventBatchFault,
  type EventPart,
  encodeEventBatch,
} from './event-batch.ts';
import { LogEnd } from './log-end.ts';
import type { AppendOutcome, LogStream } from './log-port.ts';
import { equalBytes, NO_HASH } from './sealed-frame.ts';

/** The end of the EVENTS log. */
export interface EventsEnd {
  /** The sequence of the log's last message; 0 in an empty log. */
  readonly last: number;
  /** The last stored part and its frame; frame 0 before the first. */
  readonly sequence: number;
  readonly part: number;
  readonly isComplete: boolean;
  /** The bytes of that part. */
  readonly bytes: Uint8Array;
  /** The chain's hash after that part. */
  readonly hash: Uint8Array;
}

export const NO_EVENTS: EventsEnd = {
  last: 0,
  sequence: 0,
  part: 0,
  isComplete: true,
  bytes: new Uint8Array(0),
  hash: NO_HASH,
};

/** Calls back with undefined if the log does not respond now. */
export function findEventsEnd(
  log: LogStream,
  done: (end: EventsEnd | 'damaged' | undefined) => void,
): void {
  log.extent((extent) => {
    if (extent === undefined || extent.last === 0) {
      done(extent && NO_EVENTS);
      return;
    }
    log.read(extent.last, (message) => {
      if (message === undefined) done(undefined);
      else done(endOf(extent.last, message));
    });
  });
}

function endOf(last: number, message: Uint8Array): EventsEnd | 'damaged' {
  try {
    const { hash, parts } = decodeEventBatch(message);
    const part = parts.at(-1);
    return part === undefined ? 'damaged' : endAt(last, part, hash);
  } catch (fault) {
    if (fault instanceof EventBatchFault) return 'damaged';
    throw fault;
  }
}

function endAt(last: number, { bytes, isLast, part, sequence }: EventPart, hash: Uint8Array) {
  return { last, sequence, part, isComplete: isLast, bytes, hash };
}

export interface EventWriterOptions {
  readonly log: LogStream;
  readonly clock: Clock;
  readonly retryMs: number;
  /** Minimum interval between the starts of two small batches. */
  readonly gapMs: number;
  readonly end: EventsEnd;
  /** The log holds all events of this frame. */
  onStored(sequence: number): void;
  /** The log holds different events than this replica computed, or cannot be continued. */
  onFault(reason: string): void;
}

/** Waiting bytes that are sent without a gap. */
const LARGE_BYTES = 65_536;

/** idle; sending a batch; asking the log for its end; or stopped. */
type State = 'idle' | 'sending' | 'asking' | 'stopped';

export class EventWriter {
  readonly #options: EventWriterOptions;
  /** Parts not known to be stored, in order. */
  #waiting: EventPart[] = [];
  #waitingBytes = 0;
  #end: EventsEnd;
  #state: State = 'idle';
  /** How often the batch in flight was not simply stored. */
  #refusals = 0;
  readonly #logEnd: LogEnd;
  #sentMs = Number.NEGATIVE_INFINITY;
  #gapTimer: Timer | undefined;

  constructor(options: EventWriterOptions) {
    this.#options = options;
    this.#end = options.end;
    this.#logEnd = new LogEnd(options.clock);
  }

  /** All events up to this frame are stored. */
  get storedSequence(): number {
    return this.#end.isComplete ? this.#end.sequence : this.#end.sequence - 1;
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0;
  }

  push(parts: readonly EventPart[]): void {
    for (const part of parts) {
      if (isStored(part, this.#end)) continue;
      this.#waiting.push(part);
      this.#waitingBytes += part.bytes.length;
    }
    if (this.#state === 'idle') this.#sendAfterGap();
  }

  stop(): void {
    this.#state = 'stopped';
    this.#gapTimer?.cancel();
  }

  #sendAfterGap(): void {
    this.#state = 'idle';
    if (this.#waiting.length === 0) return;
    const { clock, gapMs } = this.#options;
    const leftMs = this.#sentMs + gapMs - clock.elapsedMs();
    if (leftMs <= 0 || this.#waitingBytes >= LARGE_BYTES) {
      this.#send();
      return;
    }
    this.#gapTimer ??= clock.after(leftMs, () => {
      this.#gapTimer = undefined;
      if (this.#state === 'idle' && this.#waiting.length > 0) this.#send();
    });
  }

  #send(): void {
    if (!follows(this.#waiting[0], this.#end)) {
      const { sequence, part } = this.#waiting[0];
      this.#fault(`part ${part} of frame ${sequence} does not follow the EVENTS log`);
      return;
    }
    this.#state = 'sending';
    this.#sentMs = this.#options.clock.elapsedMs();
    const { last } = this.#end;
    const count = this.#countForBatch();
    const { hash, message } = encodeEventBatch(this.#end.hash, this.#waiting.slice(0, count));
    this.#options.log.append(last + 1, message, (outcome) => {
      if (this.#state !== 'sending') return;
      if (outcome === 'stored') this.#moveTo(endAt(last + 1, this.#waiting[count - 1], hash));
      else this.#askOrWait(outcome);
    });
  }

  #countForBatch(): number {
    let count = 1;
    let byteCount = this.#waiting[0].bytes.length;
    while (count < this.#waiting.length) {
      byteCount += this.#waiting[count].bytes.length;
      if (byteCount > EVENT_BATCH_BYTES_MAX) break;
      count++;
    }
    return count;
  }

  /**
   * Queries immediately at first, then with delays: a log without a leader does not respond.
   */
  #askOrWait(outcome: AppendOutcome): void {
    this.#state = 'asking';
    if (outcome === 'conflict' || this.#refusals++ === 0) this.#ask();
    else this.#askLater();
  }

  #askLater(): void {
    this.#options.clock.after(this.#options.retryMs, () => {
      if (this.#state === 'asking') this.#ask();
    });
  }

  #ask(): void {
    findEventsEnd(this.#options.log, (end) => {
      if (this.#state !== 'asking') return;
      if (end === 'damaged') {
        this.#fault('the last batch of the EVENTS log is damaged');
        return;
      }
      const lost = end && this.#logEnd.answered(end.last, this.#end.last);
      if (lost !== undefined) {
        this.#fault(`EVENTS: ${lost}`);
        return;
      }
      // A response behind the acknowledged end is stale.
      if (end === undefined || end.last < this.#end.last) {
        this.#askLater();
        return;
      }
      this.#moveTo(end);
    });
  }

  /** Drops the stored parts and continues after them. */
  #moveTo(end: EventsEnd): void {
    const before = this.storedSequence;
    let count = 0;
    while (count < this.#waiting.length && isStored(this.#waiting[count], end)) {
      if (!agrees(this.#waiting[count], end)) {
        this.#fault(`the EVENTS log has different events for frame ${end.sequence}`);
        return;
      }
      this.#waitingBytes -= this.#waiting[count].bytes.length;
      count++;
    }
    this.#waiting = this.#waiting.slice(count);
    if (end.last > this.#end.last) this.#refusals = 0;
    this.#end = end;
    this.#sendAfterGap();
    for (let sequence = before + 1; sequence <= this.storedSequence; sequence++) {
      this.#options.onStored(sequence);
    }
  }

  #fault(reason: string): void {
    this.#state = 'stopped';
    this.#options.onFault(reason);
  }
}

/** The same part has the same bytes, unless a release with another schema wrote it. */
export function agrees({ bytes, part, sequence }: EventPart, end: EventsEnd): boolean {
  if (sequence !== end.sequence || part !== end.part) return true;
  if (outlineFrame(bytes).schemaVersion !== outlineFrame(end.bytes).schemaVersion) return true;
  return equalBytes(bytes, end.bytes);
}

function isStored({ sequence, part }: EventPart, end: EventsEnd): boolean {
  return sequence < end.sequence || (sequence === end.sequence && part <= end.part);
}

function follows({ sequence, part }: EventPart, end: EventsEnd): boolean {
  return end.isComplete
    ? sequence === end.sequence + 1 && part === 0
    : sequence === end.sequence && part === end.part + 1;
}
