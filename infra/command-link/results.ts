// What the leader tells a gateway: one message for each frame with the outcomes of that gateway's
// commands and the events they caused, or a refusal of a whole batch at the door.

import {
  decodeEventRecords,
  type Event,
  REFUSALS,
  type Refusal,
} from '../../core/messages/index.ts';

/**
 * Why a batch was not taken. The leader of the batch's epoch says so, and no other will ever take
 * that copy of it, so it is certain.
 * busy: too many commands wait. too_old: a copy that was applied may be forgotten by now.
 * not_leading: this leader is leaving. malformed: not commands that this release can read.
 */
export const DOOR_REFUSALS = ['busy', 'too_old', 'not_leading', 'malformed'] as const;
export type DoorRefusal = (typeof DOOR_REFUSALS)[number];

/** The outcome of one command, as the log has it. */
export interface CommandResult {
  /** The command id's number; its source is the receiver. */
  readonly number: number;
  /** The command's number in the log; that of the first copy when it came again. */
  readonly command: number;
  /** 'none' when it was accepted. */
  readonly refusal: Refusal;
  /** For a client order id in use, the order that has it; otherwise 0. */
  readonly order: number;
  /** The same command id came before, and this is what came of it then. */
  readonly isRepeat: boolean;
  /** False when the events were too many to send along, or are those of an earlier copy. */
  readonly hasAllEvents: boolean;
  readonly eventCount: number;
}

/** A result and where its events are in the message that it came in; see eventsOf. */
export interface ReceivedResult extends CommandResult {
  readonly message: Uint8Array;
  readonly eventsAt: number;
  readonly eventsEnd: number;
}

export interface ResultsHeader {
  readonly epoch: number;
  /** The frame, and its time. */
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
  readonly reason: DoorRefusal;
}

/** Events in one message beyond this are not sent along: who wants them reads the log. */
export const RESULT_EVENT_BYTES_MAX = 1024 * 1024;

const RESULTS_MAGIC = 0x524c5452; // "RLTR"
const REFUSED_MAGIC = 0x524c5458; // "RLTX"
const COUNT_AT = 4;
const EPOCH_AT = 8;
const SEQUENCE_AT = 16;
const TIME_AT = 24;
const APPLIED_AT = 32;
const HEADER_BYTES = 40;
// A row for each result; the events of all of them follow the last row.
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

/** The results of one frame for one gateway: as many rows as it is made for, then closed. */
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

  /** Puts event records into the message and says where they begin in it. */
  addEvents(records: Uint8Array): number {
    const at = this.#at;
    this.#bytes.set(records, at);
    this.#at += records.length;
    return at;
  }

  /** The next result, and where in the message its events are. */
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
  view.setUint8(REASON_AT, DOOR_REFUSALS.indexOf(reason));
  return message;
}

/** Undefined for what is neither. Results keep the message for their events. */
export function decodeReply(message: Uint8Array): Results | BatchRefused | undefined {
  if (message.length < REFUSED_BYTES) return undefined;
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const magic = view.getUint32(0);
  if (magic === RESULTS_MAGIC) return decodeResults(message, view);
  if (magic !== REFUSED_MAGIC || message.length !== REFUSED_BYTES) return undefined;
  const reason = DOOR_REFUSALS[view.getUint8(REASON_AT)];
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

/** What the command caused, as far as it was sent along. */
export function eventsOf({
  eventCount: count,
  eventsAt,
  eventsEnd,
  message,
}: ReceivedResult): Event[] {
  return decodeEventRecords({ bytes: message.subarray(eventsAt, eventsEnd), count });
}
