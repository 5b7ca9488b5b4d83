// A user's events, joined to a snapshot, for all subscribers on this gateway. Subscribes first,
// then takes a snapshot that contains everything published before, then delivers later events. Each
// subscriber gets each entry once and in order, or a new snapshot; never a silent gap.

import type { Subscription } from '../../../infra/bus/index.ts';
import type { Position } from '../../../infra/live-feed/index.ts';
import type { Clock, Timer } from '../../../infra/process/index.ts';
import { isAfter } from './position.ts';
import type { Snapshot } from './snapshot.ts';
import type { FramedMessage, UserEntries, UserEntry } from './user-entries.ts';

/** A socket's subscription to a private topic. */
export interface EventSubscriber {
  onSnapshot(snapshot: Snapshot): void;
  /** Called instead of a snapshot: later entries continue after this position. */
  onResumed(from: Position): void;
  onEntry(entry: UserEntry, previous: Position): void;
  /**
   * Called afterwards with each message in the entry, in the same order for all topics on a socket.
   */
  onMessage(message: FramedMessage): void;
}

export interface PastEvents {
  /** The user's captured events starting with the position's frame, in publishing order. */
  readonly events: readonly UserEntries[];
  /** True if the history starts before the position's frame. */
  readonly reachesBack: boolean;
}

export interface ProjectedState {
  /** Last projected frame. */
  readonly frame: number;
  /** Last projected frame with events for the user. */
  readonly lastFrame: number;
}

/** Sources for a user's stream. Promises here never reject: undefined means that a read failed. */
export interface UserSource {
  subscribe(receive: (events: UserEntries) => void): Subscription;
  /** Includes everything published before the call. */
  readSnapshot(): Promise<Snapshot | undefined>;
  readHistory(from: Position): Promise<PastEvents | undefined>;
  readProjected(): Promise<ProjectedState | undefined>;
}

export interface UserStreamSettings {
  /** Pause after a failed snapshot. */
  readonly retryMs: number;
  /** Limit on events buffered while a snapshot is taken; beyond this, it is taken again. */
  readonly bufferedBytesMax: number;
  /** When the tables are checked for missed events: after a snapshot, and periodically. */
  readonly auditAfterMs: number;
  readonly auditEveryMs: number;
  /** How long projected events that were not received can be in flight. */
  readonly auditPatienceMs: number;
  /** How long a resumption waits for in-flight events before it falls back to a snapshot. */
  readonly lateMs: number;
}

export const USER_STREAM_DEFAULTS: UserStreamSettings = {
  retryMs: 250,
  bufferedBytesMax: 4 * 1024 * 1024,
  auditAfterMs: 2_000,
  auditEveryMs: 60_000,
  auditPatienceMs: 10_000,
  lateMs: 5_000,
};

export interface UserStreamWatcher {
  /** This many subscribers got a snapshot. */
  began(subscribers: number): void;
  resumed(): void;
  /** A snapshot replaced a resumption because the history was incomplete, late or unreadable. */
  notResumable(why: 'unknown' | 'late' | 'unread'): void;
  /** A subscriber missed an event, detected by the next event or by the table audit. */
  gap(foundBy: 'events' | 'audit'): void;
}

/** waiting, without a position ──snapshot or resumption──▶ live ──gap──▶ waiting */
interface SubscriberState {
  readonly subscriber: EventSubscriber;
  /** The subscriber has everything up to this position; undefined while waiting. */
  position: Position | undefined;
  isResuming: boolean;
  isRemoved: boolean;
}

// subscribed from the start ──close──▶ closed
export class UserStream {
  readonly #source: UserSource;
  readonly #clock: Clock;
  readonly #settings: UserStreamSettings;
  readonly #watcher: UserStreamWatcher;
  readonly #subscription: Subscription;
  readonly #states = new Map<EventSubscriber, SubscriberState>();
  /** Events received since the oldest pending read began. */
  #buffered: UserEntries[] = [];
  #bufferedBytes = 0;
  #bufferingCount = 0;
  /** Reads from an earlier round might have missed events. */
  #round = 0;
  #isJoining = false;
  #retry: Timer | undefined;
  #audit: Timer | undefined;
  #isClosed = false;

  constructor(options: {
    readonly source: UserSource;
    readonly clock: Clock;
    readonly settings: UserStreamSettings;
    readonly watcher: UserStreamWatcher;
  }) {
    this.#source = options.source;
    this.#clock = options.clock;
    this.#settings = options.settings;
    this.#watcher = options.watcher;
    this.#subscription = this.#source.subscribe((events) => this.#onEvents(events));
  }

  get subscriberCount(): number {
    return this.#states.size;
  }

  add(subscriber: EventSubscriber, resumeFrom?: Position): void {
    const isResuming = resumeFrom !== undefined;
    const state: SubscriberState = {
      subscriber,
      position: undefined,
      isResuming,
      isRemoved: false,
    };
    this.#states.set(subscriber, state);
    if (isResuming) void this.#resume(state, resumeFrom);
    else void this.#joinSnapshot();
  }

  /** Sends nothing more to the subscriber. */
  remove(subscriber: EventSubscriber): void {
    const state = this.#states.get(subscriber);
    if (state !== undefined) state.isRemoved = true;
    this.#states.delete(subscriber);
  }

  /** Takes a new snapshot for one subscriber. */
  takeNewSnapshot(subscriber: EventSubscriber): void {
    const state = this.#states.get(subscriber);
    if (state === undefined) return;
    state.position = undefined;
    void this.#joinSnapshot();
  }

  /** Called after a disconnect, during which events might have been missed. */
  onReconnect(): void {
    this.#dropBuffered();
    for (const state of this.#states.values()) state.position = undefined;
    void this.#joinSnapshot();
  }

  close(): void {
    this.#isClosed = true;
    this.#subscription.stop();
    this.#retry?.cancel();
    this.#audit?.cancel();
    for (const { subscriber } of [...this.#states.values()]) this.remove(subscriber);
  }

  #onEvents(events: UserEntries): void {
    if (this.#isClosed) return;
    if (this.#bufferingCount > 0) this.#buffer(events);
    if (!this.#deliver(events, [...this.#states.values()])) void this.#joinSnapshot();
  }

  /** Puts subscribers with a gap into the waiting state. Returns false if there are any. */
  #deliver(events: UserEntries, states: readonly SubscriberState[]): boolean {
    const missing = deliver(events, states);
    for (const state of missing) {
      this.#watcher.gap('events');
      state.position = undefined;
    }
    return missing.length === 0;
  }

  #buffer(events: UserEntries): void {
    this.#buffered.push(events);
    this.#bufferedBytes += events.bytes;
    if (this.#bufferedBytes > this.#settings.bufferedBytesMax) this.#dropBuffered();
  }

  #dropBuffered(): void {
    this.#round += 1;
    this.#buffered = [];
    this.#bufferedBytes = 0;
  }

  #beginBuffering(): number {
    this.#bufferingCount += 1;
    return this.#round;
  }

  #endBuffering(): void {
    this.#bufferingCount -= 1;
    if (this.#bufferingCount > 0) return;
    this.#buffered = [];
    this.#bufferedBytes = 0;
  }

  #hasWaiting(): boolean {
    for (const { isResuming, position } of this.#states.values()) {
      if (position === undefined && !isResuming) return true;
    }
    return false;
  }

  async #joinSnapshot(): Promise<void> {
    if (this.#isJoining || this.#isClosed || !this.#hasWaiting()) return;
    this.#retry?.cancel();
    this.#isJoining = true;
    const round = this.#beginBuffering();
    const snapshot = await this.#source.readSnapshot();
    if (this.#isClosed) return;
    if (snapshot !== undefined && round === this.#round) this.#begin(snapshot);
    this.#endBuffering();
    this.#isJoining = false;
    if (this.#hasWaiting()) this.#joinLater();
  }

  #joinLater(): void {
    this.#retry?.cancel();
    this.#retry = this.#clock.after(this.#settings.retryMs, () => void this.#joinSnapshot());
  }

  #begin(snapshot: Snapshot): void {
    const states = [...this.#states.values()].filter(
      ({ isResuming, position }) => position === undefined && !isResuming,
    );
    for (const state of states) {
      state.position = snapshot.position;
      if (!state.isRemoved) state.subscriber.onSnapshot(snapshot);
    }
    for (const events of this.#buffered) this.#deliver(events, states);
    this.#watcher.began(states.length);
    this.#scheduleAudit(this.#settings.auditAfterMs);
  }

  async #resume(state: SubscriberState, from: Position): Promise<void> {
    const round = this.#beginBuffering();
    // The order matters: events in the tables are published, will be received, or are found
    // missing.
    const projected = await this.#source.readProjected();
    const past = await this.#source.readHistory(from);
    let triesLeft = Math.ceil(this.#settings.lateMs / this.#settings.retryMs);
    for (; !this.#isClosed && !state.isRemoved; triesLeft -= 1) {
      const isComplete = round === this.#round && past !== undefined;
      const events = isComplete ? [...past.events, ...this.#buffered] : [];
      const found = isComplete ? continuation({ from, events, past, projected }) : 'unread';
      if (found === 'late' && triesLeft > 0) {
        await this.#pause();
        continue;
      }
      if (found === 'complete') this.#continue(state, from, events);
      else this.#watcher.notResumable(found);
      break;
    }
    if (this.#isClosed) return;
    state.isResuming = false;
    this.#endBuffering();
    void this.#joinSnapshot();
  }

  #continue(state: SubscriberState, from: Position, events: readonly UserEntries[]): void {
    state.position = from;
    state.subscriber.onResumed(from);
    for (const one of events) this.#deliver(one, [state]);
    this.#watcher.resumed();
    this.#scheduleAudit(this.#settings.auditAfterMs);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(this.#settings.retryMs, resolve));
  }

  #scheduleAudit(delayMs: number): void {
    this.#audit?.cancel();
    this.#audit = this.#clock.after(delayMs, () => void this.#auditTables());
  }

  /**
   * A lost event is revealed by the next event. This audit finds lost events without a next one.
   */
  async #auditTables(): Promise<void> {
    const { auditEveryMs, auditPatienceMs } = this.#settings;
    const projected = await this.#source.readProjected();
    if (this.#isClosed) return;
    const lastFrame = projected?.lastFrame ?? 0;
    if (this.#statesBehind(lastFrame).length === 0) {
      this.#scheduleAudit(auditEveryMs);
      return;
    }
    this.#audit = this.#clock.after(auditPatienceMs, () => {
      for (const state of this.#statesBehind(lastFrame)) {
        this.#watcher.gap('audit');
        state.position = undefined;
      }
      void this.#joinSnapshot();
      this.#scheduleAudit(auditEveryMs);
    });
  }

  #statesBehind(frame: number): SubscriberState[] {
    return [...this.#states.values()].filter(
      ({ position }) => position !== undefined && position.frame < frame,
    );
  }
}

/** Delivers new entries to each subscriber, and returns the subscribers with a gap. */
function deliver(
  { after, entries, last }: UserEntries,
  states: readonly SubscriberState[],
): SubscriberState[] {
  const behind = states.filter(({ position }) => position !== undefined && isAfter(last, position));
  const missing = behind.filter(({ position }) => isAfter(after, position!));
  const takers = behind.filter((state) => !missing.includes(state));
  for (const entry of entries) {
    const now = takers.filter(({ position }) => isAfter(entry.position, position!));
    for (const state of now) {
      const previous = state.position!;
      state.position = entry.position;
      if (!state.isRemoved) state.subscriber.onEntry(entry, previous);
    }
    for (const message of entry.messages) {
      for (const { isRemoved, subscriber } of now) if (!isRemoved) subscriber.onMessage(message);
    }
  }
  return missing;
}

/**
 * Returns whether all entries after the position are known. `late`: they are, but the tables
 * contain more, which is unpublished or lost.
 */
function continuation({
  from,
  events,
  past,
  projected,
}: {
  readonly from: Position;
  readonly events: readonly UserEntries[];
  readonly past: PastEvents;
  readonly projected: ProjectedState | undefined;
}): 'complete' | 'late' | 'unknown' {
  let position = from;
  let isProven = past.reachesBack;
  for (const { after, last } of events) {
    if (!isAfter(last, position)) continue;
    if (isAfter(after, position)) return 'unknown';
    isProven = true;
    position = last;
  }
  // The history does not go back that far, but the tables might show that nothing has happened
  // since.
  isProven ||= projected !== undefined && projected.lastFrame < from.frame;
  // A position in the future would silence the stream for the client.
  const isPast =
    isAfter(position, from) || (projected !== undefined && from.frame <= projected.frame);
  if (!isProven || !isPast) return 'unknown';
  return projected === undefined || projected.lastFrame <= position.frame ? 'complete' : 'late';
}
