// All listed coins and markets in memory, so an order needs no database. Polls for changes every
// second with a cheap statement, reads the changed tables, and keeps the last snapshot if that
// fails.

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
  /** Connections to the projector's tables and to the registry. */
  readonly projections: Pool;
  readonly registry: Pool;
  readonly clock: Clock;
  readonly log: Logger;
  readonly pollMs?: number;
}

const POLL_MS = 1_000;

/** loading ──first load──▶ polling, until closed; any ──close──▶ closed */
export class Catalogue {
  readonly #options: CatalogueOptions;
  #now: CatalogueNow | undefined;
  /** Rows behind the snapshot, and the texts that detect their changes. */
  #rows: Partial<CatalogueRows> = {};
  #fingerprints: Fingerprints = {};
  /** Rows were read that are not in the snapshot yet. */
  #isBehind = false;
  /** Until the next poll; undefined during one. */
  #timer: Timer | undefined;
  #round: () => Promise<void> = async () => {};
  #isChangedMeanwhile = false;
  #isClosed = false;
  #isFailing = false;

  constructor(options: CatalogueOptions) {
    this.#options = options;
  }

  /** The latest snapshot. The same object until something changes. */
  get now(): CatalogueNow {
    if (this.#now === undefined) throw new Error('catalog read before its first load');
    return this.#now;
  }

  /** Whether the last poll succeeded. */
  get isCurrent(): boolean {
    return this.#now !== undefined && !this.#isFailing;
  }

  /** Waits for the first load while the database is down; rejects for a wrong schema. */
  async start(): Promise<void> {
    const { clock, pollMs = POLL_MS } = this.#options;
    const { promise, reject, resolve } = Promise.withResolvers<void>();
    this.#round = async () => {
      this.#timer = undefined;
      this.#isChangedMeanwhile = false;
      const fault = await this.#poll();
      if (this.#now !== undefined) resolve();
      else if (!isPassingFault(fault)) {
        reject(fault);
        return;
      }
      if (this.#isClosed) return;
      const delayMs = this.#isChangedMeanwhile ? 0 : pollMs;
      this.#timer = clock.after(delayMs, () => void this.#round());
    };
    await Promise.all([this.#round(), promise]);
  }

  /** Reads possible changes now, not at the next poll. */
  readNow(): void {
    if (this.#timer === undefined) this.#isChangedMeanwhile = true;
    else {
      this.#timer.cancel();
      void this.#round();
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Resolves with the fault, if there was one. */
  async #poll(): Promise<unknown> {
    const { log } = this.#options;
    try {
      for (const schema of SCHEMA_NAMES) await this.#pollSchema(schema);
      if (this.#isBehind) this.#now = makeSnapshot(this.#rows as CatalogueRows);
      this.#isBehind = false;
      if (this.#isFailing) log.info('catalog reads resumed');
      this.#isFailing = false;
      return undefined;
    } catch (err) {
      if (!this.#isFailing && !this.#isClosed) {
        log.warn({ err }, 'catalog read failed');
      }
      this.#isFailing = true;
      return err;
    }
  }

  async #pollSchema(schema: SchemaName): Promise<void> {
    const pool = this.#options[schema];
    if (this.#changedIn(schema, await readFingerprints(pool, schema)).length === 0) return;
    const client = await pool.connect();
    let fault: Error | undefined;
    try {
      const { prints, rows } = await inTransaction(client, async () => {
        // Reads all tables at one time, so a market never appears without its assets.
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
      // A failed connection is not used again.
      client.release(fault);
    }
  }

  #changedIn(schema: SchemaName, prints: Fingerprints): TableName[] {
    return tablesOf(schema).filter((name) => this.#fingerprints[name] !== prints[name]);
  }
}

/** Reads the current tables, for operators who have just changed something. */
export async function readCatalogue(
  pools: Pick<CatalogueOptions, SchemaName>,
): Promise<CatalogueNow> {
  const rows: Partial<Record<TableName, CatalogueRows[TableName]>> = {};
  for (const schema of SCHEMA_NAMES) {
    // Markets before assets, so the assets of every read market are listed.
    for (const name of tablesOf(schema).reverse()) rows[name] = await readRows(pools[schema], name);
  }
  return makeSnapshot(rows as CatalogueRows);
}
