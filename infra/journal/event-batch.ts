// A message of the EVENTS log: as many event frames as were waiting, in order. An event frame that
// is too large for one message is split into parts. The hash chain covers all parts from the first
// on, independent of the batches, so no part can be changed or removed unnoticed.

import { createHash } from 'node:crypto';
import { equalBytes, HASH_BYTES } from './sealed-frame.ts';

/** One event frame of a batch: part number `part`, from 0, of the events of frame `sequence`. */
export interface EventPart {
  readonly sequence: number;
  readonly part: number;
  readonly isLast: boolean;
  readonly bytes: Uint8Array;
}

export interface EventBatch {
  /** The chain's hash before the first part. */
  readonly previousHash: Uint8Array;
  readonly parts: readonly EventPart[];
  /** The chain's hash after the last part. */
  readonly hash: Uint8Array;
}

/** A batch that would exceed this is split, so followers get messages of even size. */
export const EVENT_BATCH_BYTES_MAX = 4 * 1024 * 1024;

export class EventBatchFault extends Error {
  override readonly name = 'EventBatchFault';
}

/** Hashes the part with its header, so the chain also covers sequence and number. */
function chain(previous: Uint8Array, part: Uint8Array): Uint8Array {
  return createHash('sha256').update(previous).update(part).digest();
}

// The header: magic, count, and the chain's hash before and after. Then each part, behind its
// sequence, its number, whether it is the frame's last, and its length.
const MAGIC = 0x524c5456; // "RLTV"
const COUNT_AT = 4;
const PREVIOUS_AT = 8;
const HEADER_BYTES = PREVIOUS_AT + 2 * HASH_BYTES;
const PART_AT = 8;
const LAST_AT = 12;
const LENGTH_AT = 13;
const PART_HEADER_BYTES = 17;

export function encodeEventBatch(
  previousHash: Uint8Array,
  parts: readonly EventPart[],
): { message: Uint8Array; hash: Uint8Array } {
  let byteCount = HEADER_BYTES;
  for (const { bytes } of parts) byteCount += PART_HEADER_BYTES + bytes.length;
  const message = new Uint8Array(byteCount);
  const view = new DataView(message.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(COUNT_AT, parts.length, true);
  message.set(previousHash, PREVIOUS_AT);
  let hash = previousHash;
  let at = HEADER_BYTES;
  for (const { sequence, part, isLast, bytes } of parts) {
    view.setFloat64(at, sequence, true);
    view.setUint32(at + PART_AT, part, true);
    view.setUint8(at + LAST_AT, isLast ? 1 : 0);
    view.setUint32(at + LENGTH_AT, bytes.length, true);
    message.set(bytes, at + PART_HEADER_BYTES);
    const end = at + PART_HEADER_BYTES + bytes.length;
    hash = chain(hash, message.subarray(at, end));
    at = end;
  }
  message.set(hash, PREVIOUS_AT + HASH_BYTES);
  return { message, hash };
}

/** The parts are views of the message. The chain covers every byte of them. */
export function decodeEventBatch(message: Uint8Array): EventBatch {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  if (message.length < HEADER_BYTES || view.getUint32(0) !== MAGIC) refuse('wrong header');
  const previousHash = message.slice(PREVIOUS_AT, PREVIOUS_AT + HASH_BYTES);
  const count = view.getUint32(COUNT_AT, true);
  const parts: EventPart[] = [];
  let hash: Uint8Array = previousHash;
  let at = HEADER_BYTES;
  for (let index = 0; index < count; index++) {
    if (at + PART_HEADER_BYTES > message.length) refuse('a part is missing');
    const end = at + PART_HEADER_BYTES + view.getUint32(at + LENGTH_AT, true);
    if (end > message.length) refuse('a part is truncated');
    const bytes = message.subarray(at + PART_HEADER_BYTES, end);
    hash = chain(hash, message.subarray(at, end));
    const sequence = view.getFloat64(at, true);
    const part = view.getUint32(at + PART_AT, true);
    parts.push({ sequence, part, isLast: view.getUint8(at + LAST_AT) === 1, bytes });
    at = end;
  }
  if (at !== message.length) refuse('extra bytes follow the last part');
  if (!equalBytes(hash, message.subarray(PREVIOUS_AT + HASH_BYTES, HEADER_BYTES))) {
    refuse('the hash does not match the parts');
  }
  return { previousHash, parts, hash };
}

/** A position in the events of all frames: the last part that was read. */
export interface EventsPosition {
  readonly frame: number;
  readonly part: number;
  /** The part completes the frame. */
  readonly isComplete: boolean;
}

/**
 * The parts of a batch after a position, with the chain's hash before them. The position may be in
 * the middle of a batch: another writer of the same events cuts them into other batches.
 */
export function batchAfter(batch: EventBatch, { frame, part }: EventsPosition): EventBatch {
  const isRead = (one: EventPart) =>
    one.sequence < frame || (one.sequence === frame && one.part <= part);
  let previousHash = batch.previousHash;
  let count = 0;
  while (count < batch.parts.length && isRead(batch.parts[count])) {
    previousHash = encodeEventBatch(previousHash, [batch.parts[count]]).hash;
    count++;
  }
  return count === 0 ? batch : { ...batch, previousHash, parts: batch.parts.slice(count) };
}

function refuse(reason: string): never {
  throw new EventBatchFault(`invalid event batch: ${reason}`);
}
