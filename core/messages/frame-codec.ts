// Encodes and decodes frames. A frame is a header of fixed width followed by records. Decoding
// accepts exactly one frame in canonical encoding; see docs/decisions/0005-encoding.md.

import type { CommandNumber, TimeMs } from '../money/index.ts';
import { decodeCommand, decodeEvent, encodeCommand, encodeEvent } from './codec.generated.ts';
import { CodecFault } from './codec-fault.ts';
import type { Command } from './commands.ts';
import type { Event } from './events.ts';
import {
  COMMANDS_PER_FRAME_MAX,
  EVENTS_PER_FRAME_MAX,
  FRAME_BYTES_MAX,
  POISONED_PER_FRAME_MAX,
  RECORD_HEADER_BYTES,
} from './frame-limits.ts';
import { FrameReader } from './frame-reader.ts';
import type { FrameWriter } from './frame-writer.ts';
import { type CommandFrame, type EventFrame, FRAME_HASH_BYTES } from './frames.ts';
import { SCHEMA_VERSION } from './layout.ts';
import type { Records } from './record-codec.ts';
import { getSafe, putSafe } from './wire-values.ts';

// Offsets of the header fields. Both kinds start with magic, schema version, length and count.
const MAGIC_AT = 0;
const VERSION_AT = 4;
const FRAME_BYTES_AT = 6;
const COUNT_AT = 10;
const SEQUENCE_AT = 14;
const EPOCH_AT = 22;
const COMMANDS_TIME_AT = 30;
const HASH_AT = 38;
const COMMANDS_HEADER_BYTES = HASH_AT + FRAME_HASH_BYTES;
// Since schema 2 the header of a command frame continues with its writer, a two-byte count of
// poisoned numbers, and those numbers.
const WRITER_SINCE = 2;
const WRITER_BYTES = 8;
const POISONED_COUNT_BYTES = 2;
const POISONED_BYTES = 8;
// Since schema 6 it ends with the time in which the exchange could not accept commands.
const PAUSED_SINCE = 6;
const PAUSED_BYTES = 8;
const EVENTS_TIME_AT = 22;
const FIRST_COMMAND_AT = 30;
const EVENTS_HEADER_BYTES = 38;

// "RLTC" and "RLTE" when read as text.
const COMMANDS_MAGIC = 0x524c5443;
const EVENTS_MAGIC = 0x524c5445;

export type CommandFrameHeader = Omit<CommandFrame, 'commands'>;
export type EventFrameHeader = Omit<EventFrame, 'events'>;

/** Encodes a complete frame. The bytes belong to the writer: copy them to keep them. */
export function encodeCommandFrame(writer: FrameWriter, frame: CommandFrame): Uint8Array {
  openCommandFrame(writer, frame);
  for (const command of frame.commands) appendCommand(writer, command);
  return closeFrame(writer);
}

export function encodeEventFrame(writer: FrameWriter, frame: EventFrame): Uint8Array {
  openEventFrame(writer, frame);
  for (const event of frame.events) appendEvent(writer, event);
  return closeFrame(writer);
}

/** Starts a frame. Continue with appendCommand() and end with closeFrame(). */
export function openCommandFrame(writer: FrameWriter, header: CommandFrameHeader): void {
  if (header.previousHash.length !== FRAME_HASH_BYTES) {
    throw new CodecFault('out_of_range', `a hash has ${FRAME_HASH_BYTES} bytes`);
  }
  openFrame(writer, COMMANDS_MAGIC, COMMANDS_HEADER_BYTES);
  putSafe(writer.view, SEQUENCE_AT, header.sequence);
  putSafe(writer.view, EPOCH_AT, header.epoch);
  putSafe(writer.view, COMMANDS_TIME_AT, header.timeMs);
  writer.bytes.set(header.previousHash, HASH_AT);
  writer.reserve(WRITER_BYTES);
  putSafe(writer.view, writer.take(WRITER_BYTES), header.writer ?? 0);
  appendPoisoned(writer, header.poisoned ?? []);
  writer.reserve(PAUSED_BYTES);
  putSafe(writer.view, writer.take(PAUSED_BYTES), header.pausedMs ?? 0);
}

function appendPoisoned(writer: FrameWriter, poisoned: readonly number[]): void {
  if (poisoned.length > POISONED_PER_FRAME_MAX) refuseCount(poisoned.length);
  const byteCount = POISONED_COUNT_BYTES + poisoned.length * POISONED_BYTES;
  writer.reserve(byteCount);
  let at = writer.take(byteCount);
  writer.view.setUint16(at, poisoned.length, true);
  at += POISONED_COUNT_BYTES;
  for (const number of poisoned) {
    if (!Number.isSafeInteger(number) || number === 0) refusePoisoned(number);
    // Time steps have negative numbers, so these are not `safe` fields.
    writer.view.setFloat64(at, number, true);
    at += POISONED_BYTES;
  }
}

function readPoisoned(reader: FrameReader): readonly number[] {
  const count = reader.view.getUint16(reader.take(POISONED_COUNT_BYTES), true);
  if (count > POISONED_PER_FRAME_MAX) refuseCount(count);
  let at = reader.take(count * POISONED_BYTES);
  const poisoned: number[] = [];
  for (let index = 0; index < count; index++) {
    const number = reader.view.getFloat64(at, true);
    if (!Number.isSafeInteger(number) || number === 0) refusePoisoned(number);
    poisoned.push(number);
    at += POISONED_BYTES;
  }
  return poisoned;
}

export function openEventFrame(writer: FrameWriter, header: EventFrameHeader): void {
  openFrame(writer, EVENTS_MAGIC, EVENTS_HEADER_BYTES);
  putSafe(writer.view, SEQUENCE_AT, header.sequence);
  putSafe(writer.view, EVENTS_TIME_AT, header.timeMs);
  putSafe(writer.view, FIRST_COMMAND_AT, header.firstCommand);
}

/** Throws CodecFault, with the frame unchanged, if the command does not fit or is invalid. */
export function appendCommand(writer: FrameWriter, command: Command): void {
  const start = writer.at;
  try {
    if (writer.records >= COMMANDS_PER_FRAME_MAX) refuseCount(writer.records + 1);
    encodeCommand(writer, command);
    if (writer.at > FRAME_BYTES_MAX) refuseSize(writer.at);
  } catch (fault) {
    writer.at = start;
    throw fault;
  }
  writer.records++;
}

export function appendEvent(writer: FrameWriter, event: Event): void {
  const start = writer.at;
  try {
    if (writer.records >= EVENTS_PER_FRAME_MAX) refuseCount(writer.records + 1);
    encodeEvent(writer, event);
    if (writer.at > FRAME_BYTES_MAX) refuseSize(writer.at);
  } catch (fault) {
    writer.at = start;
    throw fault;
  }
  writer.records++;
}

/** Copies encoded records into the frame. The caller has decoded them, so they are valid. */
export function appendCommandRecords(writer: FrameWriter, { bytes, count }: Records): void {
  if (writer.records + count > COMMANDS_PER_FRAME_MAX) refuseCount(writer.records + count);
  if (writer.at + bytes.length > FRAME_BYTES_MAX) refuseSize(writer.at + bytes.length);
  writer.reserve(bytes.length);
  writer.bytes.set(bytes, writer.take(bytes.length));
  writer.records += count;
}

export function closeFrame(writer: FrameWriter): Uint8Array {
  writer.view.setUint32(FRAME_BYTES_AT, writer.at, true);
  writer.view.setUint32(COUNT_AT, writer.records, true);
  return writer.written();
}

export function decodeCommandFrame(bytes: Uint8Array): CommandFrame {
  const reader = new FrameReader(bytes);
  const count = readHeader(reader, COMMANDS_MAGIC, COMMANDS_HEADER_BYTES);
  if (count > COMMANDS_PER_FRAME_MAX) refuseCount(count);
  const isLonger = reader.version >= WRITER_SINCE;
  const writer = isLonger ? getSafe(reader.view, reader.take(WRITER_BYTES)) : 0;
  const poisoned = isLonger ? readPoisoned(reader) : [];
  const hasPause = reader.version >= PAUSED_SINCE;
  const pausedMs = hasPause ? getSafe(reader.view, reader.take(PAUSED_BYTES)) : 0;
  const commands: Command[] = [];
  for (let index = 0; index < count; index++) commands.push(decodeCommand(reader));
  refuseTrailing(reader);
  return {
    sequence: getSafe(reader.view, SEQUENCE_AT),
    epoch: getSafe(reader.view, EPOCH_AT),
    ...(writer !== 0 ? { writer } : undefined),
    timeMs: getSafe(reader.view, COMMANDS_TIME_AT) as TimeMs,
    // A copy: slice() does not copy if the bytes are a Node Buffer.
    previousHash: new Uint8Array(bytes.subarray(HASH_AT, HASH_AT + FRAME_HASH_BYTES)),
    ...(poisoned.length > 0 ? { poisoned } : undefined),
    ...(pausedMs !== 0 ? { pausedMs } : undefined),
    commands,
  };
}

export function decodeEventFrame(bytes: Uint8Array): EventFrame {
  const reader = new FrameReader(bytes);
  const count = readHeader(reader, EVENTS_MAGIC, EVENTS_HEADER_BYTES);
  if (count > EVENTS_PER_FRAME_MAX) refuseCount(count);
  const events: Event[] = [];
  for (let index = 0; index < count; index++) events.push(decodeEvent(reader));
  refuseTrailing(reader);
  return {
    sequence: getSafe(reader.view, SEQUENCE_AT),
    timeMs: getSafe(reader.view, EVENTS_TIME_AT) as TimeMs,
    firstCommand: getSafe(reader.view, FIRST_COMMAND_AT) as CommandNumber,
    events,
  };
}

export interface FrameOutline {
  readonly holds: 'commands' | 'events';
  readonly schemaVersion: number;
  /** Header plus records: the offset of the next frame in a file of frames. */
  readonly frameBytes: number;
}

/** Reads the kind, schema version and length of a frame, without its records. */
export function outlineFrame(bytes: Uint8Array): FrameOutline {
  const reader = new FrameReader(bytes);
  reader.take(SEQUENCE_AT);
  const magic = reader.view.getUint32(MAGIC_AT);
  if (magic !== COMMANDS_MAGIC && magic !== EVENTS_MAGIC) refuseMagic(magic);
  return {
    holds: magic === COMMANDS_MAGIC ? 'commands' : 'events',
    schemaVersion: reader.view.getUint16(VERSION_AT, true),
    frameBytes: reader.view.getUint32(FRAME_BYTES_AT, true),
  };
}

/**
 * The frame after its schema version. A later schema only appends, so messages that it leaves as
 * they were have the same bytes here: releases with other schemas can compare hashes of them.
 */
export function afterVersion(frame: Uint8Array): Uint8Array {
  return frame.subarray(FRAME_BYTES_AT);
}

function openFrame(writer: FrameWriter, magic: number, headerBytes: number): void {
  writer.reset();
  writer.reserve(headerBytes);
  writer.take(headerBytes);
  writer.view.setUint32(MAGIC_AT, magic);
  writer.view.setUint16(VERSION_AT, SCHEMA_VERSION, true);
}

/** Checks the common part of both headers and returns the number of records. */
function readHeader(reader: FrameReader, magic: number, headerBytes: number): number {
  const { length } = reader.bytes;
  if (length > FRAME_BYTES_MAX) refuseSize(length);
  reader.take(headerBytes);
  const foundMagic = reader.view.getUint32(MAGIC_AT);
  if (foundMagic !== magic) refuseMagic(foundMagic);
  const found = outlineFrame(reader.bytes);
  if (found.schemaVersion > SCHEMA_VERSION) {
    const detail = `schema ${found.schemaVersion} is newer than ${SCHEMA_VERSION}`;
    throw new CodecFault('newer_schema', detail);
  }
  if (found.schemaVersion === 0) throw new CodecFault('out_of_range', 'schema 0 does not exist');
  reader.version = found.schemaVersion;
  if (found.frameBytes > length) {
    throw new CodecFault('truncated', `${length} bytes of ${found.frameBytes}`);
  }
  if (found.frameBytes < length) {
    throw new CodecFault('trailing_bytes', `${length} bytes instead of ${found.frameBytes}`);
  }
  const count = reader.view.getUint32(COUNT_AT, true);
  if (count * RECORD_HEADER_BYTES > length - headerBytes) {
    throw new CodecFault('truncated', `${count} records do not fit the bytes`);
  }
  return count;
}

function refuseTrailing(reader: FrameReader): void {
  if (reader.at !== reader.bytes.length) {
    const detail = `the records end at byte ${reader.at} of ${reader.bytes.length}`;
    throw new CodecFault('trailing_bytes', detail);
  }
}

function refuseMagic(magic: number): never {
  throw new CodecFault(
    'wrong_magic',
    `0x${magic.toString(16)} is not the magic number of this kind of frame`,
  );
}

function refusePoisoned(number: number): never {
  throw new CodecFault('out_of_range', `${number} is not the number of a command or a time step`);
}

function refuseCount(count: number): never {
  throw new CodecFault('too_many_records', `${count} records in one frame`);
}

function refuseSize(byteCount: number): never {
  throw new CodecFault('frame_too_large', `${byteCount} bytes exceed ${FRAME_BYTES_MAX}`);
}
