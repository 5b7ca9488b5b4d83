// Rows in the binary format of PostgreSQL's COPY: encoded once, sent as they are, and sent again if
// the transaction failed. A row is begun and then filled, column by column.

import { from } from 'pg-copy-streams';
import type { Connection } from './connections.ts';

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const END_OF_ROWS = -1;
const NULL_LENGTH = -1;
const FIRST_BYTES = 4_096;
const LARGEST_FIXED_BYTES = 12;
/** PostgreSQL's epoch is 2000. */
const EPOCH_2000_MS = 946_684_800_000;
const TWO_TO_32 = 4_294_967_296;

/** The log may hold any character; PostgreSQL's text cannot hold U+0000. */
export function storableText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}

export class CopyRows {
  readonly columns: readonly string[];
  readonly table: string;
  #bytes: Buffer<ArrayBuffer> = Buffer.alloc(0);
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
    this.#at = this.#bytes.writeInt16BE(this.columns.length, this.#at);
    this.#count++;
    return this;
  }

  /** A safe integer as bigint. */
  integer(value: number): this {
    this.#reserve(LARGEST_FIXED_BYTES);
    this.#at = this.#bytes.writeInt32BE(8, this.#at);
    this.#at = this.#bytes.writeInt32BE(Math.floor(value / TWO_TO_32), this.#at);
    this.#at = this.#bytes.writeUInt32BE(value >>> 0, this.#at);
    return this;
  }

  bigint(value: bigint): this {
    this.#reserve(LARGEST_FIXED_BYTES);
    this.#at = this.#bytes.writeInt32BE(8, this.#at);
    this.#at = this.#bytes.writeBigInt64BE(value, this.#at);
    return this;
  }

  time(timeMs: number): this {
    return this.integer((timeMs - EPOCH_2000_MS) * 1_000);
  }

  boolean(value: boolean): this {
    this.#reserve(LARGEST_FIXED_BYTES);
    this.#at = this.#bytes.writeInt32BE(1, this.#at);
    this.#at = this.#bytes.writeUInt8(value ? 1 : 0, this.#at);
    return this;
  }

  text(given: string): this {
    const value = storableText(given);
    // A UTF-16 unit becomes at most three bytes of UTF-8.
    this.#reserve(LARGEST_FIXED_BYTES + 3 * value.length);
    const byteCount = this.#bytes.write(value, this.#at + 4, 'utf8');
    this.#bytes.writeInt32BE(byteCount, this.#at);
    this.#at += 4 + byteCount;
    return this;
  }

  null(): this {
    this.#reserve(LARGEST_FIXED_BYTES);
    this.#at = this.#bytes.writeInt32BE(NULL_LENGTH, this.#at);
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

  #reserve(byteCount: number): void {
    const needed = this.#at + byteCount;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(FIRST_BYTES, needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
