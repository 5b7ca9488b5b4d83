// Reads event frames and writes tables. Folds new frames while the previous batch is written, and
// gathers events for a moment, because a transaction has a fixed cost here and in PostgreSQL.
// Retries a batch that PostgreSQL rejects. The process can be killed at any moment.

import type { LogStream } from '../../infra/journal/index.ts';
import {
  type ConnectionOptions,
  closeConnection,
  type DatabaseWatcher,
  isPassingFault,
} from '../../infra/postgres/index.ts';
import { type Clock, RetryLoop } from '../../infra/process/index.ts';
import { type OpenSource, startOfEvents } from '../../infra/replica/index.ts';
import { Batch } from './batch.ts';
import {
  beginAndMove,
  type Cursor,
  CursorMoved,
  completeFrame,
  NO_CURSOR,
  sameCursor,
} from './cursor.ts';
import { EventFeed } from './event-feed.ts';
import { KnownRows } from './known-rows.ts';
import { PartitionKeeper } from './partition-keeper.ts';
import { type OpenProjection, openProjection } from './projection-connection.ts';
import { writeBatch } from './write-batch.ts';

export interface ProjectorOptions {
  readonly events: LogStream;
  /** Exchange whose log it follows; undefined accepts any. */
  readonly exchangeId?: string | undefined;
  readonly clock: Clock;
  readonly connection: ConnectionOptions;
  /** Archive with the events that EVENTS no longer contains. */
  readonly openSource?: OpenSource;
  readonly settings: ProjectorSettings;
  readonly watcher: ProjectorWatcher;
  /** The projector cannot continue and has stopped. */
  onFault(reason: string, cause?: unknown): void;
}

export interface ProjectorSettings {
  /** A batch with this many events accepts no more messages. */
  readonly batchEventsMax: number;
  /** Minimum interval between the starts of two transactions, unless a reader waits. */
  readonly gatherMs: number;
  /** A batch with this many events does not gather more. */
  readonly gatherEventsMax: number;
  /** Limit of the queue behind the batch, in log bytes. */
  readonly queueBytesMax: number;
  readonly ordersPerPartition: number;
  /** First and longest pause before PostgreSQL is retried. */
  readonly retryMs: number;
  readonly retryMsMax: number;
  /** How long without messages before the reader checks the log's length. */
  readonly watchMs: number;
}

export const PROJECTOR_DEFAULTS: ProjectorSettings = {
  batchEventsMax: 10_000,
  gatherMs: 20,
  gatherEventsMax: 2_000,
  queueBytesMax: 32 * 1024 * 1024,
  ordersPerPartition: 100_000_000,
  retryMs: 100,
  retryMsMax: 5_000,
  watchMs: 500,
};

export interface Written {
  readonly cursor: Cursor;
  readonly events: number;
  readonly rows: number;
  readonly tookMs: number;
}

export interface ProjectorWatcher extends DatabaseWatcher {
  started(cursor: Cursor): void;
  written(written: Written): void;
}

/** starting: waits for PostgreSQL or the lock. running: projects batches. stopped. */
export class Projector {
  readonly #options: ProjectorOptions;
  readonly #known = new KnownRows();
  #open: OpenProjection | undefined;
  #isConnectionLost = false;
  #isStandby = false;
  #partitions = new PartitionKeeper(1);
  #collecting = new Batch(NO_CURSOR);
  #feed: EventFeed | undefined;
  #cursor: Cursor | undefined;
  #hasFailed = false;
  /** Ends the wait for events. */
  #wake: () => void = () => {};
  /** Ends the gathering. */
  #endGathering: () => void = () => {};
  #begunMs = Number.NEGATIVE_INFINITY;
  /** Last frame that a reader waits for. */
  #wantedFrame = 0;
  readonly #retries: RetryLoop;
  readonly #ended: Promise<void>;

  constructor(options: ProjectorOptions) {
    this.#options = options;
    const { clock, settings, watcher } = options;
    const { retryMs, retryMsMax } = settings;
    this.#retries = new RetryLoop({
      clock,
      retryMs,
      retryMsMax,
      isRetryable: isPassingFault,
      onFailure: () => this.#close(),
      onDown: (fault) => watcher.databaseDown(fault),
      onUp: () => watcher.databaseUp(),
    });
    this.#ended = this.#run().catch((fault: unknown) => this.#fail(fault));
  }

  /** Position of the tables; undefined until PostgreSQL has responded. */
  get cursor(): Cursor | undefined {
    return this.#cursor;
  }

  /** Last EVENTS message that the projector has read. */
  get readSequence(): number {
    return this.#feed?.readSequence ?? 0;
  }

  /** True if another projector writes the tables and this one is its standby. */
  get isStandby(): boolean {
    return this.#isStandby;
  }

  get isDatabaseConnected(): boolean {
    return this.#open !== undefined && !this.#retries.isDown;
  }

  /** A reader waits until the tables contain this frame. */
  want(frame: number): void {
    this.#wantedFrame = Math.max(this.#wantedFrame, frame);
    this.#endGathering();
  }

  /** Finishes the current transaction. Resolves when the connection is closed. */
  async stop(): Promise<void> {
    this.#halt();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { clock, events: log, settings, watcher } = this.#options;
    const { queueBytesMax, retryMs, watchMs } = settings;
    const found = await this.#retries.run(() => this.#connect());
    const cursor = found && (await this.#catchUp(found));
    if (cursor !== undefined && !this.#retries.isStopped) {
      this.#cursor = cursor;
      this.#collecting = new Batch(cursor);
      watcher.started(cursor);
      this.#feed = new EventFeed({
        log,
        clock,
        retryMs,
        watchMs,
        queueBytesMax,
        from: cursor.eventsSequence + 1,
        offer: (sequence, batch) => this.#offer(() => this.#collecting.add(sequence, batch)),
        onLost: (reason) => this.#fail(new Error(`EVENTS: ${reason}`)),
      });
      await this.#project(this.#feed);
    }
    this.#close();
  }

  /**
   * Finds the tables' position in the log, whose messages can have other numbers after a restore,
   * and writes the events that the log no longer contains. Returns undefined if the projector was
   * stopped.
   */
  async #catchUp(cursor: Cursor): Promise<Cursor | undefined> {
    const { events, openSource, settings } = this.#options;
    const { chainHash: hash, eventsSequence: message, frameSequence: frame } = cursor;
    const at = { message, hash, frame, part: cursor.part, isComplete: cursor.isComplete };
    let start = await startOfEvents(events, at, openSource);
    while (start === undefined) {
      if (!(await this.#retries.pause(settings.retryMs))) return undefined;
      start = await startOfEvents(events, at, openSource);
    }
    const moved = { ...cursor, eventsSequence: start.message };
    if (moved.eventsSequence !== cursor.eventsSequence) await this.#move(cursor, moved);
    let batch = new Batch(moved);
    for await (const one of start.missing ?? []) {
      batch.add(one.message, one.batch);
      if (batch.events < settings.batchEventsMax) continue;
      if (!(await this.#writeNow(batch))) return undefined;
      batch = new Batch(batch.after);
    }
    if (!batch.isEmpty && !(await this.#writeNow(batch))) return undefined;
    return batch.after;
  }

  async #move(before: Cursor, after: Cursor): Promise<void> {
    const connection = this.#open?.connection;
    if (connection === undefined) return;
    await beginAndMove(connection, { before, after });
    await connection.query('commit');
  }

  async #writeNow(batch: Batch): Promise<boolean> {
    const startedMs = this.#options.clock.elapsedMs();
    if ((await this.#retries.run(() => this.#write(batch))) === undefined) return false;
    this.#cursor = batch.after;
    const tookMs = this.#options.clock.elapsedMs() - startedMs;
    const { events, rows } = batch;
    this.#options.watcher.written({ cursor: batch.after, events, rows, tookMs });
    return true;
  }

  async #project(feed: EventFeed): Promise<void> {
    while (!this.#retries.isStopped) {
      if (this.#collecting.isEmpty && this.#isConnectionLost) {
        // The server that answers next can be an older one, so even an idle projector looks.
        this.#close();
        const expected = [this.#collecting.after];
        if ((await this.#retries.run(() => this.#reconnect(expected))) === undefined) return;
        continue;
      }
      if (this.#collecting.isEmpty) {
        await new Promise<void>((woken) => {
          this.#wake = woken;
        });
        continue;
      }
      await this.#gather();
      const batch = this.#collecting;
      this.#collecting = new Batch(batch.after);
      feed.resume();
      if (!(await this.#writeNow(batch))) return;
    }
  }

  async #gather(): Promise<void> {
    const { clock, settings } = this.#options;
    const leftMs = this.#begunMs + settings.gatherMs - clock.elapsedMs();
    const isLarge = this.#collecting.events >= this.#gatherEventsMax;
    if (leftMs > 0 && !isLarge && !this.#isWanted && !this.#retries.isStopped) {
      await new Promise<void>((ended) => {
        const timer = clock.after(leftMs, ended);
        this.#endGathering = () => {
          timer.cancel();
          ended();
        };
      });
      this.#endGathering = () => {};
    }
    this.#begunMs = clock.elapsedMs();
  }

  get #gatherEventsMax(): number {
    const { batchEventsMax, gatherEventsMax } = this.#options.settings;
    return Math.min(batchEventsMax, gatherEventsMax);
  }

  get #isWanted(): boolean {
    return this.#cursor === undefined || this.#wantedFrame > completeFrame(this.#cursor);
  }

  #offer(add: () => void): boolean {
    if (this.#collecting.events >= this.#options.settings.batchEventsMax) return false;
    try {
      add();
    } catch (fault) {
      this.#fail(fault);
      return true;
    }
    this.#wake();
    if (this.#collecting.events >= this.#gatherEventsMax) this.#endGathering();
    return true;
  }

  /** Returns true if the tables contain the batch, or undefined if the projector was stopped. */
  async #write(batch: Batch): Promise<true | undefined> {
    if (this.#open === undefined) {
      const cursor = await this.#reconnect([batch.before, batch.after]);
      if (cursor === undefined) return undefined;
      // The commit succeeded although its response was lost.
      if (sameCursor(cursor, batch.after)) return true;
    }
    const connection = this.#open?.connection;
    if (connection === undefined) return undefined;
    await writeBatch(connection, batch, { known: this.#known, partitions: this.#partitions });
    return true;
  }

  /** Throws CursorMoved if the tables are at none of the expected positions. */
  async #reconnect(expected: readonly Cursor[]): Promise<Cursor | undefined> {
    const cursor = await this.#connect();
    if (cursor === undefined) return undefined;
    if (expected.some((one) => sameCursor(cursor, one))) return cursor;
    throw new CursorMoved(
      `the tables are at message ${cursor.eventsSequence}: another projector moved them, or ` +
        'PostgreSQL was restored',
    );
  }

  async #connect(): Promise<Cursor | undefined> {
    const { connection, exchangeId, settings } = this.#options;
    const { ordersPerPartition, retryMs } = settings;
    const wait = () => this.#retries.pause(retryMs);
    const onStandby = () => {
      this.#isStandby = true;
    };
    const open = await openProjection({
      connection,
      exchangeId,
      ordersPerPartition,
      onStandby,
      wait,
    }).finally(() => {
      this.#isStandby = false;
    });
    if (open === undefined) return undefined;
    this.#open = open;
    this.#isConnectionLost = false;
    open.connection.once('end', () => {
      if (this.#open !== open) return;
      this.#isConnectionLost = true;
      this.#wake();
    });
    this.#partitions = new PartitionKeeper(open.ordersPerPartition);
    return open.cursor;
  }

  #close(): void {
    if (this.#open !== undefined) closeConnection(this.#open.connection);
    this.#open = undefined;
  }

  #halt(): void {
    this.#retries.stop();
    this.#feed?.stop();
    this.#wake();
    this.#endGathering();
  }

  #fail(fault: unknown): void {
    this.#halt();
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    const reason = fault instanceof Error ? fault.message : String(fault);
    this.#options.onFault(reason, fault);
  }
}
