// Everything that is listed, in memory, so that an order needs no database. Looks for changes every
// second with a cheap statement, reads what changed, and keeps what it has when that fails.

import { inTransaction, isPassingFault, type Pool } from '../../infra/postgres/index.ts';
import type { Clock, Logger, Timer } from '../../infra/process/index.ts';
import type { CatalogueNow } from './catalogue-entries.ts';
import {
  type CatalogueRows,
  type Fingerprints,
  readFingerprints,
  readRows,
  SCHEMA_NAMES,
  type SchemaName,
  type TableName,
  tablesOf,
} from './catalogue-rows.ts';
import { makeSnapshot } from './catalogue-snapshot.ts';

export interface CatalogueOptions {
  /** Connections that see the tables of the projector, and those of the registry. */
  readonly projections: Pool;
  readonly registry: Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly lookEveryMs?: number;
}

const LOOK_EVERY_MS = 1_000;

/** loading ──first load──▶ looking, for ever; any ──close──▶ closed */
export class Catalogue {
  readonly #options: CatalogueOptions;
  #now: CatalogueNow | undefined;
  /** What the snapshot is made of, and what tells whether that has changed. */
  #rows: Partial<CatalogueRows> = {};
  #fingerprints: Fingerprints = {};
  /** There are rows that are not in the snapshot yet. */
  #isBehind = false;
  #timer: Timer | undefined;
  #isClosed = false;
  #isFailing = false;

  constructor(options: CatalogueOptions) {
    this.#options = options;
  }

  /** The newest there is. The same object until something changes. */
  get now(): CatalogueNow {
    if (this.#now === undefined) throw new Error('the catalogue was asked before it was loaded');
    return this.#now;
  }

  /** Whether the last look succeeded. */
  get isCurrent(): boolean {
    return this.#now !== undefined && !this.#isFailing;
  }

  /** Waits for the first load, however long the database is away; a wrong schema rejects. */
  async start(): Promise<void> {
    const { clock, lookEveryMs = LOOK_EVERY_MS } = this.#options;
    const { promise, reject, resolve } = Promise.withResolvers<void>();
    const round = async () => {
      const fault = await this.#look();
      if (this.#now !== undefined) resolve();
      else if (!isPassingFault(fault)) {
        reject(fault);
        return;
      }
      if (!this.#isClosed) this.#timer = clock.after(lookEveryMs, () => void round());
    };
    await Promise.all([round(), promise]);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  /** Gives what went wrong, if anything did. */
  async #look(): Promise<unknown> {
    const { log } = this.#options;
    try {
      for (const schema of SCHEMA_NAMES) await this.#lookAt(schema);
      if (this.#isBehind) this.#now = makeSnapshot(this.#rows as CatalogueRows);
      this.#isBehind = false;
      if (this.#isFailing) log.info('catalogue: what is listed can be read again');
      this.#isFailing = false;
      return undefined;
    } catch (err) {
      if (!this.#isFailing && !this.#isClosed) {
        log.warn({ err }, 'catalogue: what is listed can not be read; the last is used');
      }
      this.#isFailing = true;
      return err;
    }
  }

  async #lookAt(schema: SchemaName): Promise<void> {
    const pool = this.#options[schema];
    if (this.#changedIn(schema, await readFingerprints(pool, schema)).length === 0) return;
    const client = await pool.connect();
    let fault: Error | undefined;
    try {
      const { prints, rows } = await inTransaction(client, async () => {
        // All tables as of one moment: a market is never there without its assets.
        await client.query('set transaction isolation level repeatable read read only');
        const prints = await readFingerprints(client, schema);
        const rows: Partial<Record<TableName, CatalogueRows[TableName]>> = {};
        for (const name of this.#changedIn(schema, prints))
          rows[name] = await readRows(client, name);
        return { prints, rows };
      });
      this.#rows = { ...this.#rows, ...rows };
      this.#fingerprints = { ...this.#fingerprints, ...prints };
      this.#isBehind = true;
    } catch (caught) {
      fault = caught as Error;
      throw caught;
    } finally {
      // A connection with which something went wrong is not used again.
      client.release(fault);
    }
  }

  #changedIn(schema: SchemaName, prints: Fingerprints): TableName[] {
    return tablesOf(schema).filter((name) => this.#fingerprints[name] !== prints[name]);
  }
}
