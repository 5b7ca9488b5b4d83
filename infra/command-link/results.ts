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
  readonly eventBytes: Uint8Array;
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
  readonly results: readonly CommandResult[];
}

export interface BatchRefused {
  readonly kind: 'batch-refused';
  readonly epoch: number;
  readonly batch: number;
  readonly reason: DoorRefusal;
}

/** Events of one command beyond this are left to the log. */
export const RESULT_EVENT_BYTES_MAX = 16 * 1024;
/** A results message is cut after this; the next one of the same frame follows it. */
const MESSAGE_BYTES_WANTED = 512 * 1024;

const RESULTS_MAGIC = 0x524c5452; // "RLTR"
const REFUSED_MAGIC = 0x524c5458; // "RLTX"
const COUNT_AT = 4;
const EPOCH_AT = 8;
const SEQUENCE_AT = 16;
const TIME_AT = 24;
const APPLIED_AT = 32;
const HEADER_BYTES = 40;
const COMMAND_AT = 8;
const ORDER_AT = 16;
const REFUSAL_AT = 24;
const FLAGS_AT = 25;
const EVENT_COUNT_AT = 26;
const EVENT_BYTES_AT = 28;
const RESULT_BYTES = 32;
const IS_REPEAT = 1;
const HAS_ALL_EVENTS = 2;
const BATCH_AT = 16;
const REASON_AT = 24;
const REFUSED_BYTES = 25;

/** Collects the results of one frame for one gateway. */
export class ResultsWriter {
  #bytes = new Uint8Array(4 * 1024);
  #view = new DataView(this.#bytes.buffer);
  #at = HEADER_BYTES;
  #count = 0;

  get isFull(): boolean {
    return this.#at >= MESSAGE_BYTES_WANTED;
  }

  add(result: CommandResult): void {
    const { eventBytes } = result;
    this.#reserve(RESULT_BYTES + eventBytes.length);
    const view = this.#view;
    const at = this.#at;
    view.setFloat64(at, result.number, true);
    view.setFloat64(at + COMMAND_AT, result.command, true);
    view.setFloat64(at + ORDER_AT, result.order, true);
    view.setUint8(at + REFUSAL_AT, result.refusal === 'none' ? NONE : codeOf(result.refusal));
    const flags = (result.isRepeat ? IS_REPEAT : 0) | (result.hasAllEvents ? HAS_ALL_EVENTS : 0);
    view.setUint8(at + FLAGS_AT, flags);
    view.setUint16(at + EVENT_COUNT_AT, result.eventCount, true);
    view.setUint32(at + EVENT_BYTES_AT, eventBytes.length, true);
    this.#bytes.set(eventBytes, at + RESULT_BYTES);
    this.#at += RESULT_BYTES + eventBytes.length;
    this.#count++;
  }

  close(header: ResultsHeader): Uint8Array {
    const view = this.#view;
    view.setUint32(0, RESULTS_MAGIC);
    view.setUint32(COUNT_AT, this.#count, true);
    view.setFloat64(EPOCH_AT, header.epoch, true);
    view.setFloat64(SEQUENCE_AT, header.sequence, true);
    view.setFloat64(TIME_AT, header.timeMs, true);
    view.setFloat64(APPLIED_AT, header.commandsApplied, true);
    return this.#bytes.subarray(0, this.#at);
  }

  #reserve(byteCount: number): void {
    const needed = this.#at + byteCount;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, needed));
    grown.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

const NONE = REFUSALS.indexOf('none');

function codeOf(refusal: Refusal): number {
  return REFUSALS.indexOf(refusal);
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

/** Undefined for what is neither. Event bytes are views of the message. */
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
  const results: CommandResult[] = [];
  let at = HEADER_BYTES;
  for (let index = 0; index < count; index++) {
    if (at + RESULT_BYTES > message.length) return undefined;
    const end = at + RESULT_BYTES + view.getUint32(at + EVENT_BYTES_AT, true);
    const refusal = REFUSALS[view.getUint8(at + REFUSAL_AT)];
    if (end > message.length || refusal === undefined) return undefined;
    const flags = view.getUint8(at + FLAGS_AT);
    results.push({
      number: view.getFloat64(at, true),
      command: view.getFloat64(at + COMMAND_AT, true),
      refusal,
      order: view.getFloat64(at + ORDER_AT, true),
      isRepeat: (flags & IS_REPEAT) !== 0,
      hasAllEvents: (flags & HAS_ALL_EVENTS) !== 0,
      eventCount: view.getUint16(at + EVENT_COUNT_AT, true),
      eventBytes: message.subarray(at + RESULT_BYTES, end),
    });
    at = end;
  }
  if (at !== message.length) return undefined;
  return {
    kind: 'results',
    epoch: view.getFloat64(EPOCH_AT, true),
    sequence: view.getFloat64(SEQUENCE_AT, true),
    timeMs: view.getFloat64(TIME_AT, true),
    commandsApplied: view.getFloat64(APPLIED_AT, true),
    results,
  };
}

export function eventsOf({ eventBytes, eventCount }: CommandResult): Event[] {
  return decodeEventRecords({ bytes: eventBytes, count: eventCount });
}
