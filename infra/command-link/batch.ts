// A batch of commands from a gateway to the leader: command records exactly as the frame will hold
// them, behind a header with the sender, the epoch, and how old the oldest command is.

import {
  appendCommand,
  type Command,
  FrameWriter,
  type Records,
  SCHEMA_VERSION,
} from '../../core/messages/index.ts';

export interface BatchHeader {
  /** The gateway session: the `source` of every command in the batch. */
  readonly source: number;
  /** Counts the batches of a source; a batch refusal names it. */
  readonly batch: number;
  /** Only the leader of this epoch can accept the batch. */
  readonly epoch: number;
  /** A lower bound on the commands in the log when the oldest of these was first sent. */
  readonly floor: number;
}

export interface Batch extends BatchHeader {
  readonly schemaVersion: number;
  readonly records: Records;
}

export const BATCH_COMMANDS_MAX = 1_024;
export const BATCH_BYTES_MAX = 256 * 1024;

const MAGIC = 0x524c5442; // "RLTB"
const VERSION_AT = 4;
const COUNT_AT = 6;
const SOURCE_AT = 10;
const BATCH_AT = 18;
const EPOCH_AT = 26;
const FLOOR_AT = 34;
const HEADER_BYTES = 42;

/** Grows by add(); close() returns the message and starts the next batch. */
export class BatchWriter {
  readonly #writer = new FrameWriter();

  constructor() {
    this.#open();
  }

  get count(): number {
    return this.#writer.records;
  }

  get isFull(): boolean {
    return this.count >= BATCH_COMMANDS_MAX || this.#writer.at >= BATCH_BYTES_MAX;
  }

  /** Throws CodecFault for a command that cannot be encoded; the batch stays as it was. */
  add(command: Command): void {
    appendCommand(this.#writer, command);
  }

  /** The bytes belong to the writer and are valid until the next add(). */
  close(header: BatchHeader): Uint8Array {
    const writer = this.#writer;
    const { view } = writer;
    view.setUint32(0, MAGIC);
    view.setUint16(VERSION_AT, SCHEMA_VERSION, true);
    view.setUint32(COUNT_AT, writer.records, true);
    view.setFloat64(SOURCE_AT, header.source, true);
    view.setFloat64(BATCH_AT, header.batch, true);
    view.setFloat64(EPOCH_AT, header.epoch, true);
    view.setFloat64(FLOOR_AT, header.floor, true);
    const message = writer.written();
    this.#open();
    return message;
  }

  #open(): void {
    this.#writer.reset();
    this.#writer.reserve(HEADER_BYTES);
    this.#writer.take(HEADER_BYTES);
  }
}

/** Undefined when the message is not a batch. The records are an undecoded view of the message. */
export function decodeBatch(message: Uint8Array): Batch | undefined {
  if (message.length < HEADER_BYTES) return undefined;
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  if (view.getUint32(0) !== MAGIC) return undefined;
  const header = {
    source: view.getFloat64(SOURCE_AT, true),
    batch: view.getFloat64(BATCH_AT, true),
    epoch: view.getFloat64(EPOCH_AT, true),
    floor: view.getFloat64(FLOOR_AT, true),
  };
  // A floor that is not a number would make every batch young enough.
  const isSound = Object.values(header).every((one) => Number.isSafeInteger(one) && one >= 0);
  if (!isSound) return undefined;
  return {
    ...header,
    schemaVersion: view.getUint16(VERSION_AT, true),
    records: { bytes: message.subarray(HEADER_BYTES), count: view.getUint32(COUNT_AT, true) },
  };
}
