// A publisher's derived state and its position in the EVENTS log: advanced by batches, saved as
// bytes, and restored from them. Must know neither clock nor network.

import {
  MARKET_DATA_VERSION,
  type MarketChange,
  type MarketData,
  MarketDataRestorer,
  type SavedRow,
  saveMarketData,
} from '../../core/market-data/index.ts';
import { decodeEventFrame } from '../../core/messages/index.ts';
import {
  batchAfter,
  type EventBatch,
  type EventPart,
  equalBytes,
  NO_HASH,
} from '../../infra/journal/index.ts';
import { UserFeed, type UserPayload } from './user-feed.ts';

export interface FeedPosition {
  /** Last applied EVENTS message. */
  readonly message: number;
  /** Last event frame, its last applied part, and whether that part completes the frame. */
  readonly frame: number;
  readonly part: number;
  readonly isComplete: boolean;
  /** Number of the frame's events so far. */
  readonly eventCount: number;
  readonly timeMs: number;
  /** Chain hash up to this position. */
  readonly hash: Uint8Array;
}

/** The batch does not continue the state, or the bytes are not a state of this version. */
export class FeedStateFault extends Error {
  override readonly name = 'FeedStateFault';
}

const START: FeedPosition = {
  message: 0,
  frame: 0,
  part: 0,
  isComplete: true,
  eventCount: 0,
  timeMs: 0,
  hash: NO_HASH,
};

// Version of the rows below; the market data has its own.
const VERSION = 1;
const ROWS_PER_CHUNK = 1_000;

export class FeedState {
  readonly data: MarketData;
  readonly userFeed: UserFeed;
  #position: FeedPosition;
  #eventsApplied = 0;

  private constructor(data: MarketData, position: FeedPosition) {
    this.data = data;
    this.userFeed = new UserFeed(data);
    this.#position = position;
  }

  /** Returns the state before the first event. */
  static create(): FeedState {
    return new FeedState(new MarketDataRestorer().finish(), START);
  }

  /** Throws FeedStateFault if the bytes were not written by save() of this version. */
  static restore(bytes: Uint8Array): FeedState {
    const rows = rowsOf(bytes);
    const first = rows.next();
    const position = first.done === true ? undefined : restorePosition(first.value);
    if (position === undefined) throw new FeedStateFault('saved state has another version');
    const restorer = new MarketDataRestorer();
    const state = new FeedState(restorer.data, position);
    let row = rows.next();
    for (; row.done !== true && row.value[0] !== 'end'; row = rows.next()) {
      if (restorer.take(row.value) || state.userFeed.restore(row.value)) continue;
      throw new FeedStateFault(`saved state has an unknown row kind: ${row.value[0]}`);
    }
    if (row.done === true) throw new FeedStateFault('saved state is truncated');
    restorer.finish();
    return state;
  }

  get position(): FeedPosition {
    return this.#position;
  }

  get eventsApplied(): number {
    return this.#eventsApplied;
  }

  /** Applies message `sequence` of EVENTS. Delivers user events part by part. */
  apply(batch: EventBatch, sequence: number, deliver: (messages: UserPayload[]) => void): void {
    if (sequence !== this.#position.message + 1) {
      throw new FeedStateFault(
        `expected message ${this.#position.message + 1} of EVENTS, received ${sequence}`,
      );
    }
    const { hash } = this.#position;
    // If the log was rewritten, the state might contain a part of the message.
    const isWhole = equalBytes(batch.previousHash, hash);
    const rest = isWhole ? batch : batchAfter(batch, this.#position);
    if (!equalBytes(rest.previousHash, hash)) {
      throw new FeedStateFault(`message ${sequence} of EVENTS belongs to another chain`);
    }
    for (const part of rest.parts) deliver(this.#applyPart(part));
    this.#position = { ...this.#position, message: sequence, hash: batch.hash };
  }

  /** Called when the same events have other message numbers in this log. */
  renumber(message: number): void {
    this.#position = { ...this.#position, message };
  }

  /** Returns the changes in complete frames, or none in the middle of a frame. */
  takeChanges(): Iterable<MarketChange> {
    return this.#position.isComplete ? this.data.takeChanges() : [];
  }

  /** Saves in chunks, so no string gets too long. */
  save(): Uint8Array[] {
    const chunks: Uint8Array[] = [];
    let lines = '';
    let count = 0;
    for (const row of this.#rows()) {
      lines += `${JSON.stringify(row)}\n`;
      count += 1;
      if (count % ROWS_PER_CHUNK > 0) continue;
      chunks.push(Buffer.from(lines));
      lines = '';
    }
    chunks.push(Buffer.from(lines));
    return chunks;
  }

  *#rows(): Generator<SavedRow, void> {
    const { eventCount, frame, hash, isComplete, message, part, timeMs } = this.#position;
    const place = [message, frame, part, isComplete, eventCount, timeMs];
    yield ['feed', VERSION, MARKET_DATA_VERSION, ...place, Buffer.from(hash).toString('hex')];
    yield* saveMarketData(this.data);
    yield* this.userFeed.save();
    yield ['end'];
  }

  #applyPart({ bytes, isLast, part, sequence }: EventPart): UserPayload[] {
    const before = this.#position;
    const isNext = before.isComplete
      ? sequence === before.frame + 1 && part === 0
      : sequence === before.frame && part === before.part + 1;
    if (!isNext) {
      throw new FeedStateFault(`part ${part} of frame ${sequence} is not the next one`);
    }
    const { events, timeMs } = decodeEventFrame(bytes);
    let index = part === 0 ? 0 : before.eventCount;
    for (const event of events) {
      const closed = this.userFeed.orderClosedBy(event);
      this.data.apply(event, timeMs);
      this.userFeed.apply(event, { index, timeMs }, closed);
      index += 1;
    }
    this.#eventsApplied += events.length;
    const place = { frame: sequence, part, isComplete: isLast, eventCount: index, timeMs };
    this.#position = { ...before, ...place };
    return this.userFeed.take(sequence);
  }
}

function* rowsOf(bytes: Uint8Array): Generator<SavedRow, void> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let from = 0;
  for (;;) {
    const to = buffer.indexOf('\n', from);
    if (to < 0) return;
    yield JSON.parse(buffer.toString('utf8', from, to)) as SavedRow;
    from = to + 1;
  }
}

function restorePosition(row: SavedRow): FeedPosition | undefined {
  const [kind, version, dataVersion, message, frame, part, isComplete, eventCount, timeMs] = row;
  if (kind !== 'feed' || version !== VERSION || dataVersion !== MARKET_DATA_VERSION) {
    return undefined;
  }
  return {
    message: Number(message),
    frame: Number(frame),
    part: Number(part),
    isComplete: isComplete === true,
    eventCount: Number(eventCount),
    timeMs: Number(timeMs),
    hash: Uint8Array.from(Buffer.from(String(row[9]), 'hex')),
  };
}
