// Rows in the binary format of PostgreSQL's COPY: encoded once, sent as they are, and sent again if
// the transaction failed. A row is begun and then filled, column by column.

import { from } from 'pg-copy-streams';
import type { Connection } from './connections.ts';

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const END_OF_ROWS = -1;
const NULL_LENGTH = -1;
const FIRST_BYTES = 4_096;
const LARGEST_FIXED_BYTES = 12;
/** Shorter ASCII texts are written faster by a loop than by a call to native code. */
const SHORT_CHARACTERS = 24;
const ASCII_MAX = 0x7f;
/** PostgreSQL's epoch is 2000. */
const EPOCH_2000_MS = 946_684_800_000;
const TWO_TO_32 = 4_294_967_296;

/** The log may hold any character; PostgreSQL's text cannot hold U+0000. */
export function storableText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}

/**
 * Released buffers, used by the next rows. New buffers for every batch would grow the memory
 * outside V8's heap, which makes V8 collect all garbage every few hundred batches.
 */
const spare: Buffer<ArrayBuffer>[] = [];
const SPARE_MAX = 16;
const SPARE_BYTES_MAX = 4_194_304;

export class CopyRows {
  readonly columns: readonly string[];
  readonly table: string;
  #bytes: Buffer<ArrayBuffer> = Buffer.alloc(0);
  /** View on the same memory, because V8 compiles its setters to single stores. */
  #view = new DataView(new ArrayBuffer(0));
  #at = 0;
  #count = 0;

  constructor(table: string, columns: readonly string[]) {
    this.table = table;
    this.columns = columns;
  }

  get count(): number {
    return this.#count;
  }

  get byteCount(): number {
    return this.#at;
  }

  /** Begins the next row: all columns follow, in order. */
  row(): this {
    if (this.#count === 0 && this.#at === 0) {
      this.#reserve(SIGNATURE.length);
      this.#at += SIGNATURE.copy(this.#bytes, this.#at);
    }
    this.#reserve(2);
    this.#view.setInt16(this.#at, this.columns.length);
    this.#at += 2;
    this.#count++;
    return this;
  }

  /** A safe integer as bigint. */
  integer(value: number): this {
    this.#reserve(LARGEST_FIXED_BYTES);
    this.#view.setInt32(this.#at, 8);
    this.#view.setInt32(this.#at + 4, Math.floor(value / TWO_TO_32));
    this.#view.setUint32(this.#at + 8, value >>> 0);
    this.#at += 12;
    return this;
  }

  bigint(value: bigint): this {
    this.#reserve(LARGEST_FIXED_BYTES);
    this.#view.setInt32(this.#at, 8);
    this.#view.setBigInt64(this.#at + 4, value);
    this.#at += 12;
    return this;
  }

  time(timeMs: number): this {
    return this.integer((timeMs - EPOCH_2000_MS) * 1_000);
  }

  boolean(value: boolean): this {
    this.#reserve(LARGEST_FIXED_BYTES);
    this.#view.setInt32(this.#at, 1);
    this.#view.setUint8(this.#at + 4, value ? 1 : 0);
    this.#at += 5;
    return this;
  }

  text(given: string): this {
    const value = storableText(given);
    // A UTF-16 unit becomes at most three bytes of UTF-8.
    this.#reserve(LARGEST_FIXED_BYTES + 3 * value.length);
    const byteCount = this.#write(value, this.#at + 4);
    this.#view.setInt32(this.#at, byteCount);
    this.#at += 4 + byteCount;
    return this;
  }

  null(): this {
    this.#reserve(LARGEST_FIXED_BYTES);
    this.#view.setInt32(this.#at, NULL_LENGTH);
    this.#at += 4;
    return this;
  }

  /** Sends all rows; sends nothing if there are none. */
  async copy(connection: Connection): Promise<void> {
    if (this.#count === 0) return;
    const text = `copy ${this.table} (${this.columns.join(', ')}) from stdin (format binary)`;
    const stream = connection.query(from(text));
    this.#reserve(2);
    this.#bytes.writeInt16BE(END_OF_ROWS, this.#at);
    await new Promise<void>((resolve, reject) => {
      stream.once('finish', resolve);
      stream.on('error', (fault) => {
        reject(fault);
        // NOTE: otherwise the stream keeps writing to a connection that it no longer owns.
        stream.destroy();
      });
      stream.end(this.#bytes.subarray(0, this.#at + 2));
    });
    if (stream.rowCount !== this.#count) {
      throw new Error(`${this.table}: copied ${stream.rowCount} rows of ${this.#count}`);
    }
  }

  /** Ends these rows and reuses their memory. Call it when they cannot be sent again. */
  release(): void {
    const bytes = this.#bytes;
    this.#use(Buffer.alloc(0));
    this.#at = 0;
    this.#count = 0;
    const isKept = bytes.length > 0 && bytes.length <= SPARE_BYTES_MAX;
    if (isKept && spare.length < SPARE_MAX) spare.push(bytes);
  }

  /** Returns the number of bytes of the text in UTF-8. */
  #write(value: string, at: number): number {
    if (value.length > SHORT_CHARACTERS) return this.#bytes.write(value, at, 'utf8');
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      if (code > ASCII_MAX) return this.#bytes.write(value, at, 'utf8');
      this.#bytes[at + index] = code;
    }
    return value.length;
  }

  #reserve(byteCount: number): void {
    const needed = this.#at + byteCount;
    if (needed <= this.#bytes.length) return;
    const larger = this.#larger(needed);
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#use(larger);
  }

  #larger(needed: number): Buffer<ArrayBuffer> {
    const kept = this.#bytes.length === 0 ? spare.pop() : undefined;
    if (kept !== undefined && kept.length >= needed) return kept;
    return Buffer.allocUnsafe(Math.max(FIRST_BYTES, needed, 2 * this.#bytes.length));
  }

  #use(bytes: Buffer<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}
