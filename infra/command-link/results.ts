// Replies of the leader to a gateway: one message per frame with the outcomes of that gateway's
// commands and the events they caused, or the refusal of an entire batch.

import {
  decodeEventRecords,
  type Event,
  REFUSALS,
  type Refusal,
} from '../../core/messages/index.ts';

/**
 * Why the leader did not accept a batch. Only the leader of the batch's epoch refuses it, and no
 * other leader will ever accept that copy, so a refusal is certain.
 * busy: too many commands wait. too_old: the engine may have forgotten an earlier copy.
 * not_leading: this leader is leaving. malformed: this release cannot read the commands.
 * not_permitted: the sender must not send one of them, or the leader cannot run the rules
 * that one of them sets. Only append: the index is sent.
 */
export const BATCH_REFUSALS = [
  'busy',
  'too_old',
  'not_leading',
  'malformed',
  'not_permitted',
] as const;
export type BatchRefusal = (typeof BATCH_REFUSALS)[number];

/** The outcome of one command, as recorded in the log. */
export interface CommandResult {
  /** The command id's number; its source is the receiver. */
  readonly number: number;
  /** The command's number in the log; for a repeated command, that of the first copy. */
  readonly command: number;
  /** 'none' for an accepted command. */
  readonly refusal: Refusal;
  /** The order that already uses the client order id, if that is the refusal; otherwise 0. */
  readonly order: number;
  /** The same command id was applied before, and this is its outcome. */
  readonly isRepeat: boolean;
  /** False when there were too many events to include, or they belong to an earlier copy. */
  readonly hasAllEvents: boolean;
  readonly eventCount: number;
}

/** A result, and the position of its events in the message; see eventsOf. */
export interface ReceivedResult extends CommandResult {
  readonly message: Uint8Array;
  readonly eventsAt: number;
  readonly eventsEnd: number;
}

export interface ResultsHeader {
  readonly epoch: number;
  /** The frame's sequence and time. */
  readonly sequence: number;
  readonly timeMs: number;
  /** Commands in the log after the frame. */
  readonly commandsApplied: number;
}

export interface Results extends ResultsHeader {
  readonly kind: 'results';
  readonly results: readonly ReceivedResult[];
}

export interface BatchRefused {
  readonly kind: 'batch-refused';
  readonly epoch: number;
  readonly batch: number;
  readonly reason: BatchRefusal;
}

/** Events beyond this many bytes per message are left out; readers find them in the log. */
export const RESULT_EVENT_BYTES_MAX = 1024 * 1024;

const RESULTS_MAGIC = 0x524c5452; // "RLTR"
const REFUSED_MAGIC = 0x524c5458; // "RLTX"
const COUNT_AT = 4;
const EPOCH_AT = 8;
const SEQUENCE_AT = 16;
const TIME_AT = 24;
const APPLIED_AT = 32;
const HEADER_BYTES = 40;
// One row per result; the events of all results follow the last row.
const COMMAND_AT = 8;
const ORDER_AT = 16;
const EVENTS_AT = 24;
const EVENTS_END_AT = 28;
const EVENT_COUNT_AT = 32;
const REFUSAL_AT = 36;
const FLAGS_AT = 37;
const ROW_BYTES = 40;
const IS_REPEAT = 1;
const HAS_ALL_EVENTS = 2;
const BATCH_AT = 16;
const REASON_AT = 24;
const REFUSED_BYTES = 25;
const NONE = REFUSALS.indexOf('none');

/** Builds the results of one frame for one gateway, with a number of rows fixed in advance. */
export class ResultsWriter {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #row = HEADER_BYTES;
  #at: number;

  constructor(sizes: { readonly results: number; readonly eventBytes: number }) {
    this.#at = HEADER_BYTES + sizes.results * ROW_BYTES;
    this.#bytes = new Uint8Array(this.#at + sizes.eventBytes);
    this.#view = new DataView(this.#bytes.buffer);
    this.#view.setUint32(0, RESULTS_MAGIC);
    this.#view.setUint32(COUNT_AT, sizes.results, true);
  }

  /** Copies event records into the message and returns their offset in it. */
  addEvents(records: Uint8Array): number {
    const at = this.#at;
    this.#bytes.set(records, at);
    this.#at += records.length;
    return at;
  }

  /** Adds the next result and the range of its events in the message. */
  add(result: CommandResult, eventsAt: number, eventsEnd: number): void {
    const view = this.#view;
    const at = this.#row;
    view.setFloat64(at, result.number, true);
    view.setFloat64(at + COMMAND_AT, result.command, true);
    view.setFloat64(at + ORDER_AT, result.order, true);
    view.setUint32(at + EVENTS_AT, eventsAt, true);
    view.setUint32(at + EVENTS_END_AT, eventsEnd, true);
    view.setUint32(at + EVENT_COUNT_AT, result.eventCount, true);
    const { refusal } = result;
    view.setUint8(at + REFUSAL_AT, refusal === 'none' ? NONE : REFUSALS.indexOf(refusal));
    const flags = (result.isRepeat ? IS_REPEAT : 0) | (result.hasAllEvents ? HAS_ALL_EVENTS : 0);
    view.setUint8(at + FLAGS_AT, flags);
    this.#row = at + ROW_BYTES;
  }

  close(header: ResultsHeader): Uint8Array {
    const view = this.#view;
    view.setFloat64(EPOCH_AT, header.epoch, true);
    view.setFloat64(SEQUENCE_AT, header.sequence, true);
    view.setFloat64(TIME_AT, header.timeMs, true);
    view.setFloat64(APPLIED_AT, header.commandsApplied, true);
    return this.#bytes.subarray(0, this.#at);
  }
}

export function encodeBatchRefused({ batch, epoch, reason }: BatchRefused): Uint8Array {
  const message = new Uint8Array(REFUSED_BYTES);
  const view = new DataView(message.buffer);
  view.setUint32(0, REFUSED_MAGIC);
  view.setFloat64(EPOCH_AT, epoch, true);
  view.setFloat64(BATCH_AT, batch, true);
  view.setUint8(REASON_AT, BATCH_REFUSALS.indexOf(reason));
  return message;
}

/** Undefined when the message is neither. Results keep a reference to the message. */
export function decodeReply(message: Uint8Array): Results | BatchRefused | undefined {
  if (message.length < REFUSED_BYTES) return undefined;
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const magic = view.getUint32(0);
  if (magic === RESULTS_MAGIC) return decodeResults(message, view);
  if (magic !== REFUSED_MAGIC || message.length !== REFUSED_BYTES) return undefined;
  const reason = BATCH_REFUSALS[view.getUint8(REASON_AT)];
  if (reason === undefined) return undefined;
  const epoch = view.getFloat64(EPOCH_AT, true);
  return { kind: 'batch-refused', epoch, batch: view.getFloat64(BATCH_AT, true), reason };
}

function decodeResults(message: Uint8Array, view: DataView): Results | undefined {
  if (message.length < HEADER_BYTES) return undefined;
  const count = view.getUint32(COUNT_AT, true);
  const rowsEnd = HEADER_BYTES + count * ROW_BYTES;
  const header = {
    epoch: view.getFloat64(EPOCH_AT, true),
    sequence: view.getFloat64(SEQUENCE_AT, true),
    timeMs: view.getFloat64(TIME_AT, true),
    commandsApplied: view.getFloat64(APPLIED_AT, true),
  };
  const isSound = Object.values(header).every((one) => Number.isSafeInteger(one) && one >= 0);
  if (!isSound || message.length < rowsEnd) return undefined;
  const results: ReceivedResult[] = [];
  for (let at = HEADER_BYTES; at < rowsEnd; at += ROW_BYTES) {
    const refusal = REFUSALS[view.getUint8(at + REFUSAL_AT)];
    const eventsAt = view.getUint32(at + EVENTS_AT, true);
    const eventsEnd = view.getUint32(at + EVENTS_END_AT, true);
    const isInside = eventsAt <= eventsEnd && eventsEnd <= message.length;
    if (refusal === undefined || !isInside) return undefined;
    const flags = view.getUint8(at + FLAGS_AT);
    results.push({
      number: view.getFloat64(at, true),
      command: view.getFloat64(at + COMMAND_AT, true),
      refusal,
      order: view.getFloat64(at + ORDER_AT, true),
      isRepeat: (flags & IS_REPEAT) !== 0,
      hasAllEvents: (flags & HAS_ALL_EVENTS) !== 0,
      eventCount: view.getUint32(at + EVENT_COUNT_AT, true),
      message,
      eventsAt,
      eventsEnd,
    });
  }
  return { kind: 'results', ...header, results };
}

/** The events of the command that were included in the message. */
export function eventsOf({
  eventCount: count,
  eventsAt,
  eventsEnd,
  message,
}: ReceivedResult): Event[] {
  return decodeEventRecords({ bytes: message.subarray(eventsAt, eventsEnd), count });
}
