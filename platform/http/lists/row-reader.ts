// Reads the rows of a long list in batches, from one snapshot of the tables. A reader holds a
// connection, so the number of readers and their lifetime are bounded, each caller has one, and a
// reader must always be closed, even if no row was read.

import type { Pool, PoolClient } from '../../../infra/postgres/index.ts';
import type { Clock, Timer } from '../../../infra/process/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type EndTurn, Turns } from './turns.ts';

export interface RowsToRead {
  readonly pool: Pool;
  readonly clock: Clock;
  /** The caller. Each caller may have one open reader, so no caller takes all of them. */
  readonly who: string;
  readonly statement: string;
  readonly values: readonly unknown[];
  /** A row as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: rows have no type until they are read
  write(row: any): string;
  /** Slower readers are cut off. */
  readonly lifeMsMax?: number | undefined;
}

/** A few milliseconds of work; other requests are served between two batches. */
const ROWS_AT_ONCE = 100;
/** Open readers of one pool; its other connections are for short queries. */
const READERS_MAX = 3;
/** For the rows of one user. */
const LIFE_MS_MAX = 120_000;
/** Longer than a reader may stand still. */
const WAIT_MS_MAX = 10_000;
/** A caller whose reader was cut off for its slowness has none for this time. */
const SLOW_BLOCKED_MS = 60_000;

const turnsOf = new WeakMap<Pool, Turns>();

function readersOf({ clock, pool }: RowsToRead): Turns {
  const options = { clock, runningMax: READERS_MAX, waitMsMax: WAIT_MS_MAX };
  const turns = turnsOf.get(pool) ?? new Turns({ ...options, waitingPerCallerMax: 0 });
  turnsOf.set(pool, turns);
  return turns;
}

// open ──last row──▶ complete, ──return or fault──▶ abandoned, ──time──▶ timed out
type End = 'complete' | 'abandoned' | 'timed out';

export class RowReader implements AsyncIterableIterator<string> {
  readonly #rows: RowsToRead;
  readonly #connection: PoolClient;
  readonly #life: Timer;
  readonly #endTurn: EndTurn;
  #read: string[] = [];
  #at = 0;
  #end: End | undefined;

  private constructor(rows: RowsToRead, connection: PoolClient, endTurn: EndTurn) {
    this.#rows = rows;
    this.#connection = connection;
    this.#endTurn = endTurn;
    this.#life = rows.clock.after(rows.lifeMsMax ?? LIFE_MS_MAX, () => this.#close('timed out'));
  }

  /** Waits while too many readers are open; refuses a second one of the same caller. */
  static async open(rows: RowsToRead): Promise<RowReader | Refused<'rate_limit_exceeded'>> {
    const { pool, statement, values, who } = rows;
    const endTurn = await readersOf(rows).take(who);
    if (endTurn instanceof Refused) return endTurn;
    let reader: RowReader | undefined;
    try {
      reader = new RowReader(rows, await pool.connect(), endTurn);
      const connection = reader.#connection;
      await connection.query('begin transaction isolation level repeatable read read only');
      await connection.query(`declare listed no scroll cursor for ${statement}`, [...values]);
      await reader.#fetch();
      return reader;
    } catch (fault) {
      if (reader === undefined) endTurn();
      else reader.#close('abandoned');
      throw fault;
    }
  }

  /** The caller took the rows too slowly, and was cut off. */
  blockCaller(): void {
    readersOf(this.#rows).block(this.#rows.who, SLOW_BLOCKED_MS);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    if (this.#at === this.#read.length && this.#end === undefined) await this.#fetch();
    // A truncated list must never look complete.
    if (this.#end === 'timed out') throw new Error('list reader timed out');
    if (this.#at === this.#read.length) return { done: true, value: undefined };
    const value = this.#read[this.#at];
    this.#at += 1;
    return { done: false, value };
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    this.#close('abandoned');
    return { done: true, value: undefined };
  }

  async #fetch(): Promise<void> {
    try {
      const { rows } = await this.#connection.query(`fetch ${ROWS_AT_ONCE} from listed`);
      this.#read = rows.map((row) => this.#rows.write(row));
      this.#at = 0;
      if (rows.length > 0) return;
      await this.#connection.query('commit');
      this.#close('complete');
    } catch (fault) {
      this.#close('abandoned');
      throw fault;
    }
  }

  /** A connection in the middle of a transaction is not used again. */
  #close(end: End): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#life.cancel();
    this.#endTurn();
    this.#connection.release(end !== 'complete');
  }
}
