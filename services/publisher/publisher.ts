// Follows the EVENTS log, derives public data and user events, and publishes them to the gateways.
// All its state is derived: it can be killed at any moment, and continues from the last
// acknowledged position.

import type { MarketChange } from '../../core/market-data/index.ts';
import {
  type EventBatch,
  LogReader,
  type LogStream,
  openEventBatch,
} from '../../infra/journal/index.ts';
import { type FeedSubjects, FRAME_HEADER, TRADE_HEADER } from '../../infra/live-feed/index.ts';
import type { Clock, Timer } from '../../infra/process/index.ts';
import { type OpenSource, startOfEvents } from '../../infra/replica/index.ts';
import { AckedPublisher } from './acked-publisher.ts';
import type { Checkpoint, Feed, FeedStore } from './feed-port.ts';
import { FeedState } from './feed-state.ts';
import { PublicFeed } from './public-feed.ts';
import { tradesJson } from './public-json.ts';
import { SubscribedBooks } from './subscribed-books.ts';
import type { UserPayload } from './user-feed.ts';

export interface PublisherOptions {
  readonly events: LogStream;
  /** Archive with the events that EVENTS no longer contains. */
  readonly openSource?: OpenSource;
  readonly feed: Feed;
  readonly store: FeedStore;
  readonly subjects: FeedSubjects;
  readonly clock: Clock;
  readonly settings: PublisherSettings;
  readonly watcher: PublisherWatcher;
  onFault(reason: string, cause?: unknown): void;
}

export interface PublisherSettings {
  /** Minimum interval between two messages for a busy market, and for its depth and charts. */
  readonly everyMs: number;
  readonly depthEveryMs: number;
  readonly depthLevels: number;
  /** Minimum interval between two messages for a subscribed book. */
  readonly changesEveryMs: number;
  readonly cursorEveryMs: number;
  /** Longer if taking a checkpoint takes long. */
  readonly checkpointEveryMs: number;
  /** With more unacknowledged bytes than this, the log is not read. */
  readonly waitingBytesMax: number;
  readonly retryMs: number;
  readonly watchMs: number;
}

export const PUBLISHER_DEFAULTS: PublisherSettings = {
  everyMs: 50,
  depthEveryMs: 1_000,
  depthLevels: 1_000,
  changesEveryMs: 20,
  cursorEveryMs: 1_000,
  checkpointEveryMs: 60_000,
  waitingBytesMax: 64 * 1024 * 1024,
  retryMs: 200,
  watchMs: 500,
};

export interface PublisherWatcher {
  /** Applies EVENTS from message `from`, and publishes after `cursor`. */
  started(from: number, cursor: number): void;
  checkpointInvalid(cause: unknown): void;
  caughtUp(message: number): void;
  applied(frame: number, events: number): void;
  published(messages: number, bytes: number): void;
  stored(bytes: number): void;
  checkpointTaken(message: number, bytes: number, tookMs: number): void;
  paused(isPaused: boolean): void;
}

const TICK_MS = 250;
// Taking a checkpoint blocks the process, so it can use at most 1% of the time.
const CHECKPOINT_SHARE = 100;

/**
 * starting: reads cursor, checkpoint and the end of the log. catching up: until that end, no public
 * data is sent. live. paused: too many unacknowledged bytes. stopped.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  #state: FeedState | undefined;
  #acked: AckedPublisher | undefined;
  #public: PublicFeed | undefined;
  #books: SubscribedBooks | undefined;
  #reader: LogReader<EventBatch> | undefined;
  #timer: Timer | undefined;
  #isStopped = false;
  #isLive = false;
  /**
   * EVENTS positions: everything up to the first was published before; public data begins at the
   * second.
   */
  #cursor = 0;
  #liveFrom = 0;
  #cursorWritten = 0;
  #isWritingCursor = false;
  #cursorAtMs: number;
  #checkpointMessage = 0;
  #checkpointFrame: number | undefined;
  #isWritingCheckpoint = false;
  #checkpointAtMs: number;
  #checkpointPauseMs: number;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#cursorAtMs = options.clock.elapsedMs();
    this.#checkpointAtMs = this.#cursorAtMs;
    this.#checkpointPauseMs = options.settings.checkpointEveryMs;
    this.#readCursor();
  }

  get state(): FeedState | undefined {
    return this.#state;
  }

  /** Position up to which everything is acknowledged; the frame only if nothing is in flight. */
  get delivered(): { readonly message: number; readonly frame: number } {
    const message = this.#acked?.confirmed ?? 0;
    const position = this.#state?.position;
    return { message, frame: position?.message === message ? position.frame : 0 };
  }

  /** Frame of the last stored checkpoint; a restart reads the log after it. */
  get logNeededAfter(): number | undefined {
    return this.#checkpointFrame;
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  /** Publishes nothing more. Messages in flight might still arrive. */
  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#reader?.stop();
    this.#public?.stop();
    this.#books?.stop();
  }

  /** Writes a final checkpoint at shutdown; true if it is stored. */
  finish(done: (isKept: boolean) => void): void {
    const state = this.#state;
    if (this.#isWritingCheckpoint) this.#retryLater(() => this.finish(done));
    else if (state?.position.isComplete !== true) done(false);
    else this.#takeCheckpoint(state, done);
  }

  #readCursor(): void {
    this.#options.store.readCursor((cursor) => {
      if (this.#isStopped) return;
      if (cursor === undefined) this.#retryLater(() => this.#readCursor());
      else this.#readCheckpoint(cursor);
    });
  }

  #readCheckpoint(cursor: number | 'none'): void {
    this.#options.store.readCheckpoint((bytes) => {
      if (this.#isStopped) return;
      if (bytes === undefined) this.#retryLater(() => this.#readCheckpoint(cursor));
      else this.#findEnd(cursor, this.#restore(bytes));
    });
  }

  #restore(bytes: Uint8Array | 'none'): FeedState {
    if (bytes === 'none') return FeedState.create();
    try {
      return FeedState.restore(bytes);
    } catch (cause) {
      // The state can be rebuilt, which a release with another format does.
      this.#options.watcher.checkpointInvalid(cause);
      return FeedState.create();
    }
  }

  #findEnd(cursor: number | 'none', state: FeedState): void {
    this.#options.events.extent((extent) => {
      if (this.#isStopped) return;
      if (extent === undefined) {
        this.#retryLater(() => this.#findEnd(cursor, state));
        return;
      }
      // A publisher without a cursor begins with new events, and first stores that decision.
      const delivered = Math.max(cursor === 'none' ? extent.last : cursor, state.position.message);
      if (delivered > extent.last) {
        const reason = `EVENTS ends at ${extent.last}, but ${delivered} was published`;
        this.#options.onFault(reason);
        return;
      }
      if (cursor === 'none')
        this.#writeFirstCursor(delivered, () => this.#follow(state, delivered, extent));
      else this.#follow(state, delivered, extent);
    });
  }

  #writeFirstCursor(cursor: number, then: () => void): void {
    this.#options.store.writeCursor(cursor, (isDone) => {
      if (isDone) then();
      else this.#retryLater(() => this.#writeFirstCursor(cursor, then));
    });
  }

  #follow(state: FeedState, cursor: number, { last }: { readonly last: number }): void {
    if (this.#isStopped) return;
    const { clock, feed, settings, subjects, watcher } = this.#options;
    const { changesEveryMs, depthEveryMs, depthLevels, everyMs, retryMs } = settings;
    this.#state = state;
    this.#cursor = cursor;
    this.#cursorWritten = cursor;
    this.#liveFrom = last;
    this.#checkpointMessage = state.position.message;
    this.#checkpointFrame = state.position.frame;
    const onConfirmed = () => this.#resumeIfDrained();
    this.#acked = new AckedPublisher({ feed, clock, retryMs, onConfirmed }, cursor);
    this.#public = new PublicFeed({
      state,
      feed,
      clock,
      subjects,
      everyMs,
      depthEveryMs,
      depthLevels,
      retryMs,
      onStored: (bytes) => watcher.stored(bytes),
    });
    this.#books = new SubscribedBooks({
      state,
      feed,
      clock,
      subjects,
      everyMs: changesEveryMs,
      onPublished: (bytes) => watcher.published(1, bytes),
    });
    watcher.started(state.position.message + 1, cursor);
    this.#goLiveIfCaughtUp(state);
    this.#read(state);
    this.#tick();
  }

  /** Applies the events that the log no longer contains, and continues with its first message. */
  async #catchUp(state: FeedState, reason: string): Promise<void> {
    const { events, openSource } = this.#options;
    const start = await startOfEvents(events, state.position, openSource);
    if (this.#isStopped) return;
    if (start?.missing === undefined) throw new Error(reason);
    state.renumber(start.message);
    for await (const { batch, message } of start.missing) {
      if (this.#isStopped) return;
      this.#receive(state, batch, message);
    }
    this.#read(state);
  }

  #fail(cause: unknown): void {
    this.stop();
    const reason = cause instanceof Error ? cause.message : String(cause);
    this.#options.onFault(`EVENTS cannot be read: ${reason}`, cause);
  }

  #read(state: FeedState): void {
    const { clock, events: log, settings } = this.#options;
    this.#reader = new LogReader({
      log,
      clock,
      from: state.position.message + 1,
      retryMs: settings.retryMs,
      watchMs: settings.watchMs,
      open: openEventBatch,
      receive: (batch, sequence) => this.#receive(state, batch, sequence),
      onLost: (reason) => {
        this.#catchUp(state, reason).catch((cause: unknown) => this.#fail(cause));
      },
    });
  }

  #receive(state: FeedState, batch: EventBatch, sequence: number): void {
    const { watcher } = this.#options;
    const eventsBefore = state.eventsApplied;
    try {
      state.apply(batch, sequence, (messages) => this.#publishUserEvents(messages, sequence));
    } catch (cause) {
      this.stop();
      this.#options.onFault('EVENTS does not continue the derived state', cause);
      return;
    }
    const changes = [...state.takeChanges()];
    if (sequence > this.#cursor) {
      for (const change of changes) this.#publishTrades(change);
      this.#acked?.markPublished(sequence);
    }
    watcher.applied(state.position.frame, state.eventsApplied - eventsBefore);
    this.#public?.changed(changes);
    this.#books?.changed(changes);
    this.#goLiveIfCaughtUp(state);
    this.#pauseIfBehind();
  }

  #publishUserEvents(messages: readonly UserPayload[], sequence: number): void {
    if (sequence <= this.#cursor) return;
    const { subjects, watcher } = this.#options;
    let bytes = 0;
    for (const { payload, user } of messages) {
      this.#acked?.publish(`${subjects.private}.${user}`, payload);
      bytes += payload.length;
    }
    watcher.published(messages.length, bytes);
  }

  #publishTrades({ market, newTrades }: MarketChange): void {
    if (newTrades.length === 0) return;
    const { subjects, watcher } = this.#options;
    const { listed } = market;
    const numbers = `${newTrades[0].trade}-${newTrades[newTrades.length - 1].trade}`;
    const frame = String(this.#state?.position.frame);
    const payload = tradesJson(listed, newTrades.toReversed());
    const subject = `${subjects.live}.trades.${listed.symbol}`;
    this.#acked?.publish(subject, payload, { [FRAME_HEADER]: frame, [TRADE_HEADER]: numbers });
    watcher.published(1, payload.length);
  }

  #goLiveIfCaughtUp({ position }: FeedState): void {
    if (this.#isLive || position.message < this.#liveFrom || !position.isComplete) return;
    this.#isLive = true;
    this.#options.watcher.caughtUp(position.message);
    this.#public?.open();
    this.#books?.open();
  }

  #pauseIfBehind(): void {
    const { settings, watcher } = this.#options;
    if (this.#reader === undefined) return;
    if ((this.#acked?.unackedBytes ?? 0) <= settings.waitingBytesMax) return;
    this.#reader.stop();
    this.#reader = undefined;
    watcher.paused(true);
  }

  #resumeIfDrained(): void {
    const [acked, state] = [this.#acked, this.#state];
    if (this.#isStopped || this.#reader !== undefined) return;
    if (acked === undefined || state === undefined) return;
    if (acked.unackedBytes > this.#options.settings.waitingBytesMax / 2) return;
    this.#options.watcher.paused(false);
    this.#read(state);
  }

  #tick(): void {
    const { clock, settings } = this.#options;
    const nowMs = clock.elapsedMs();
    this.#public?.tick();
    this.#books?.tick();
    if (nowMs - this.#cursorAtMs >= settings.cursorEveryMs) this.#writeCursor(nowMs);
    if (nowMs - this.#checkpointAtMs >= this.#checkpointPauseMs) this.#checkpointIfChanged(nowMs);
    this.#timer = clock.after(Math.min(TICK_MS, settings.cursorEveryMs), () => this.#tick());
  }

  #writeCursor(nowMs: number): void {
    const confirmed = this.#acked?.confirmed ?? 0;
    if (this.#isWritingCursor || confirmed === this.#cursorWritten) return;
    this.#isWritingCursor = true;
    this.#cursorAtMs = nowMs;
    this.#options.store.writeCursor(confirmed, (isDone) => {
      this.#isWritingCursor = false;
      if (isDone) this.#cursorWritten = confirmed;
    });
  }

  #checkpointIfChanged(nowMs: number): void {
    const state = this.#state;
    if (state === undefined || this.#isWritingCheckpoint) return;
    const { isComplete, message } = state.position;
    // In the middle of a frame, the state does not contain the pending user events.
    if (!isComplete || message === this.#checkpointMessage) return;
    this.#checkpointAtMs = nowMs;
    this.#takeCheckpoint(state, () => {});
  }

  #takeCheckpoint(state: FeedState, done: (isKept: boolean) => void): void {
    const { clock, settings, watcher } = this.#options;
    const { frame, message } = state.position;
    const startMs = clock.elapsedMs();
    const chunks = state.save();
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
    const tookMs = clock.elapsedMs() - startMs;
    this.#checkpointPauseMs = Math.max(settings.checkpointEveryMs, tookMs * CHECKPOINT_SHARE);
    watcher.checkpointTaken(message, bytes, tookMs);
    this.#isWritingCheckpoint = true;
    this.#writeWhenDelivered({ message, chunks }, (isDone) => {
      this.#isWritingCheckpoint = false;
      if (isDone) [this.#checkpointMessage, this.#checkpointFrame] = [message, frame];
      done(isDone);
    });
  }

  /**
   * A publisher that starts from a checkpoint publishes nothing before it, so everything must be
   * delivered.
   */
  #writeWhenDelivered(checkpoint: Checkpoint, done: (isKept: boolean) => void): void {
    const { clock, settings, store } = this.#options;
    if ((this.#acked?.confirmed ?? 0) >= checkpoint.message) {
      store.writeCheckpoint(checkpoint, done);
    } else {
      clock.after(settings.retryMs, () => this.#writeWhenDelivered(checkpoint, done));
    }
  }

  #retryLater(task: () => void): void {
    this.#timer = this.#options.clock.after(this.#options.settings.retryMs, task);
  }
}
