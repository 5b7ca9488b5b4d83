// Encoded records outside a frame: commands on their way into a frame, and events taken from one.
// As strict as the frame codec: exactly `count` records in canonical encoding.

import { decodeCommand, decodeEvent } from './codec.generated.ts';
import { CodecFault } from './codec-fault.ts';
import type { Command } from './commands.ts';
import type { Event } from './events.ts';
import { RECORD_HEADER_BYTES } from './frame-limits.ts';
import { FrameReader } from './frame-reader.ts';
import { SCHEMA_VERSION } from './layout.ts';

export interface Records {
  /** Consecutive records without separators. */
  readonly bytes: Uint8Array;
  readonly count: number;
}

/** Cuts valid records after the first `count`. */
export function splitRecords(records: Records, count: number): [Records, Records] {
  const { bytes } = records;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (let index = 0; index < count; index++) {
    at += RECORD_HEADER_BYTES + view.getUint16(at + 1, true);
  }
  return [
    { bytes: bytes.subarray(0, at), count },
    { bytes: bytes.subarray(at), count: records.count - count },
  ];
}

export function decodeCommandRecords(
  records: Records,
  schemaVersion: number = SCHEMA_VERSION,
): Command[] {
  return decodeRecords(records, schemaVersion, decodeCommand);
}

export function decodeEventRecords(
  records: Records,
  schemaVersion: number = SCHEMA_VERSION,
): Event[] {
  return decodeRecords(records, schemaVersion, decodeEvent);
}

function decodeRecords<Message>(
  { bytes, count }: Records,
  schemaVersion: number,
  decode: (reader: FrameReader) => Message,
): Message[] {
  if (schemaVersion < 1 || schemaVersion > SCHEMA_VERSION) {
    const detail = `schema ${schemaVersion} is not one of 1 to ${SCHEMA_VERSION}`;
    throw new CodecFault('newer_schema', detail);
  }
  if (count * RECORD_HEADER_BYTES > bytes.length) {
    throw new CodecFault('truncated', `${count} records do not fit the bytes`);
  }
  const reader = new FrameReader(bytes);
  reader.version = schemaVersion;
  const messages: Message[] = [];
  for (let index = 0; index < count; index++) messages.push(decode(reader));
  if (reader.at !== bytes.length) {
    const detail = `the records end at byte ${reader.at} of ${bytes.length}`;
    throw new CodecFault('trailing_bytes', detail);
  }
  return messages;
}
