// All the monitor's queries, each at its own pace: streams and tables every second, storage and
// certificate files every few seconds, servers' certificates and ledger totals seldom. A reading
// must never overlap with itself; a failed one keeps the last values.

import {
  type CertificateFact,
  type DiskFact,
  type LedgerFact,
  readLedgerSums,
  readTableFacts,
  type StreamFact,
  type TableFacts,
} from '../../features/health/index.ts';
import type { Nats } from '../../infra/bus/index.ts';
import { readStreamState, readStreamStorage } from '../../infra/journal/index.ts';
import type { DatabaseWatcher, Statements } from '../../infra/postgres/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import { isServer, readCertificate } from './certificates.ts';

export interface ReadingsOptions {
  readonly clock: Clock;
  readonly nats: Nats;
  readonly registry: Statements;
  readonly projectionSchema: string;
  /** Names of the log's streams. */
  readonly streams: readonly string[];
  readonly natsMonitorUrls: readonly string[];
  /** Files and `host:port`. */
  readonly certificates: readonly string[];
  readonly ledgerEveryMs: number;
  readonly watcher: DatabaseWatcher;
}

const STREAMS_EVERY_MS = 1_000;
const TABLES_EVERY_MS = 1_000;
const FILES_EVERY_MS = 3_000;
const SERVERS_EVERY_MS = 60_000;
/** A stream or the tables without a reading for this long are unreachable. */
const FRESH_MS = 3_500;

interface Read<Value> {
  readonly value: Value;
  readonly readMs: number;
}

export class Readings {
  readonly #options: ReadingsOptions;
  readonly #streams = new Map<string, Read<StreamFact>>();
  readonly #lateReplicas = new Map<string, ReadonlySet<string>>();
  readonly #certificates = new Map<string, CertificateFact>();
  #tables: Read<TableFacts> | undefined;
  #ledger: readonly LedgerFact[] = [];
  #storage: readonly DiskFact[] = [];
  #isDatabaseDown = false;
  readonly #timers = new Set<Timer>();
  #isStopped = false;

  constructor(options: ReadingsOptions) {
    this.#options = options;
    const { certificates, ledgerEveryMs, natsMonitorUrls, streams } = options;
    for (const name of streams) this.#repeat(STREAMS_EVERY_MS, () => this.#readStream(name));
    this.#repeat(TABLES_EVERY_MS, () => this.#readTables());
    this.#repeat(ledgerEveryMs, () => this.#readLedger());
    if (natsMonitorUrls.length > 0) this.#repeat(FILES_EVERY_MS, () => this.#readStorage());
    for (const place of certificates) {
      const everyMs = isServer(place) ? SERVERS_EVERY_MS : FILES_EVERY_MS;
      this.#repeat(everyMs, () => this.#readCertificate(place));
    }
  }

  /** Streams that responded within the last seconds, always in the same order. */
  streams(nowMs: number): StreamFact[] {
    return this.#options.streams.flatMap((name) => {
      const read = this.#streams.get(name);
      return read !== undefined && nowMs - read.readMs <= FRESH_MS ? [read.value] : [];
    });
  }

  isDatabaseUp(nowMs: number): boolean {
    return this.#tables !== undefined && nowMs - this.#tables.readMs <= FRESH_MS;
  }

  /** Tables from the last reading, even if it is old. */
  get tables(): TableFacts | undefined {
    return this.#tables?.value;
  }

  get tablesReadMs(): number | undefined {
    return this.#tables?.readMs;
  }

  get ledger(): readonly LedgerFact[] {
    return this.#ledger;
  }

  get storage(): readonly DiskFact[] {
    return this.#storage;
  }

  get certificates(): readonly CertificateFact[] {
    return [...this.#certificates.values()];
  }

  stop(): void {
    this.#isStopped = true;
    for (const timer of this.#timers) timer.cancel();
  }

  /** The pause begins when a reading has ended, so a slow server is not queried twice. */
  #repeat(everyMs: number, read: () => Promise<void>): void {
    const { clock } = this.#options;
    void read().then(() => {
      if (this.#isStopped) return;
      const timer = clock.after(everyMs, () => {
        this.#timers.delete(timer);
        this.#repeat(everyMs, read);
      });
      this.#timers.add(timer);
    });
  }

  async #readStream(name: string): Promise<void> {
    const state = await readStreamState(this.#options.nats, name);
    if (state === undefined) return;
    const lateBefore = this.#lateReplicas.get(name);
    const late = state.replicas.filter(({ isCurrent }) => !isCurrent);
    this.#lateReplicas.set(name, new Set(late.map((replica) => replica.name)));
    // A busy server lacks the last message for a moment: a replica is late only if two readings
    // report it.
    const replicas = state.replicas.map(({ isCurrent, name: server }) => ({
      name: server,
      isCurrent: isCurrent || lateBefore?.has(server) !== true,
    }));
    this.#streams.set(name, { value: { ...state, replicas }, readMs: this.#options.clock.nowMs() });
  }

  async #readTables(): Promise<void> {
    const { clock, projectionSchema, registry, watcher } = this.#options;
    try {
      const value = await readTableFacts(registry, projectionSchema);
      this.#tables = { value, readMs: clock.nowMs() };
      if (this.#isDatabaseDown) watcher.databaseUp();
      this.#isDatabaseDown = false;
    } catch (fault) {
      if (!this.#isDatabaseDown && !this.#isStopped) watcher.databaseDown(fault);
      this.#isDatabaseDown = true;
    }
  }

  async #readLedger(): Promise<void> {
    const { projectionSchema, registry } = this.#options;
    try {
      this.#ledger = await readLedgerSums(registry, projectionSchema);
    } catch {
      // The table reading reports an outage; the totals are read again later.
    }
  }

  async #readStorage(): Promise<void> {
    const read = await Promise.all(this.#options.natsMonitorUrls.map(readStreamStorage));
    this.#storage = read.filter((one) => one !== undefined);
  }

  async #readCertificate(place: string): Promise<void> {
    this.#certificates.set(place, await readCertificate(place));
  }
}
