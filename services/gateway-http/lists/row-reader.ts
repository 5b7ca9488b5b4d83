// The rows of a long list, a few at a time, from one state of the tables. It holds a connection, so
// there may be only a few of them, each for a bounded time, and whoever has one gives it back:
// also when nobody has read a single row of it.

import type { Pool, PoolClient } from '../../../infra/postgres/index.ts';
import type { Clock, Timer } from '../../../infra/process/index.ts';
import { ApiRefusal } from '../api-refusal.ts';

export interface RowsToRead {
  readonly pool: Pool;
  readonly clock: Clock;
  /** Each caller may have one open at a time, so that nobody takes all of them. */
  readonly who: string;
  readonly statement: string;
  readonly values: readonly unknown[];
  /** A row as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: rows have no type until they are read
  write(row: any): string;
}

const ROWS_AT_ONCE = 500;
/** Of one pool, at the same time: the others are for short questions. */
const READERS_MAX = 3;
/** Whoever reads more slowly than this is cut off. */
const LIFE_MS_MAX = 120_000;
const RETRY_AFTER_S = 5;

const readers = new WeakMap<Pool, Set<string>>();

// open ──last row──▶ whole, ──return or fault──▶ given up, ──time──▶ cut off
type End = 'whole' | 'given up' | 'cut off';

export class RowReader implements AsyncIterableIterator<string> {
  readonly #rows: RowsToRead;
  readonly #connection: PoolClient;
  readonly #life: Timer;
  #read: string[] = [];
  #at = 0;
  #end: End | undefined;

  private constructor(rows: RowsToRead, connection: PoolClient) {
    this.#rows = rows;
    this.#connection = connection;
    this.#life = rows.clock.after(LIFE_MS_MAX, () => this.#close('cut off'));
  }

  /** Refuses when too many are open already, or one of the same caller. */
  static async open(rows: RowsToRead): Promise<RowReader> {
    const { pool, statement, values, who } = rows;
    const open = readers.get(pool) ?? new Set();
    if (open.size >= READERS_MAX || open.has(who)) {
      throw new ApiRefusal('rate_limit_exceeded', {}, RETRY_AFTER_S);
    }
    readers.set(pool, open.add(who));
    let reader: RowReader | undefined;
    try {
      reader = new RowReader(rows, await pool.connect());
      const connection = reader.#connection;
      await connection.query('begin transaction isolation level repeatable read read only');
      await connection.query(`declare listed no scroll cursor for ${statement}`, [...values]);
      await reader.#fetch();
      return reader;
    } catch (fault) {
      if (reader === undefined) open.delete(who);
      else reader.#close('given up');
      throw fault;
    }
  }

  /** Whether there is none at all. */
  get isEmpty(): boolean {
    return this.#end === 'whole' && this.#read.length === 0;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    if (this.#at === this.#read.length && this.#end === undefined) await this.#fetch();
    // A list without its end must never look like a whole one.
    if (this.#end === 'cut off') throw new Error(`a list was not read within ${LIFE_MS_MAX} ms`);
    if (this.#at === this.#read.length) return { done: true, value: undefined };
    const value = this.#read[this.#at];
    this.#at += 1;
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    this.#close('given up');
    return { done: true, value: undefined };
  }

  async #fetch(): Promise<void> {
    try {
      const { rows } = await this.#connection.query(`fetch ${ROWS_AT_ONCE} from listed`);
      this.#read = rows.map((row) => this.#rows.write(row));
      this.#at = 0;
      if (rows.length > 0) return;
      await this.#connection.query('commit');
      this.#close('whole');
    } catch (fault) {
      this.#close('given up');
      throw fault;
    }
  }

  /** A connection that was left in the middle of something is not used again. */
  #close(end: End): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#life.cancel();
    const { pool, who } = this.#rows;
    readers.get(pool)?.delete(who);
    this.#connection.release(end !== 'whole');
  }
}
