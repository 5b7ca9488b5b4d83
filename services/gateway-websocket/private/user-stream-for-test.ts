// A user's events, tables and history in memory and in virtual time. Serves everything that a
// UserStream reads when the test decides, with losses and repeats on demand. Only tests import it.

import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { Position } from '../../../infra/live-feed/index.ts';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import { isAfter, positionText } from './position.ts';
import { makeSnapshot, type Snapshot } from './snapshot.ts';
import { FramedMessage, type UserEntries, UserEntry } from './user-entries.ts';
import {
  type EventSubscriber,
  type PastEvents,
  type ProjectedState,
  type UserSource,
  UserStream,
  type UserStreamSettings,
} from './user-stream.ts';

export const SETTINGS: UserStreamSettings = {
  retryMs: 100,
  bufferedBytesMax: 1_000,
  auditAfterMs: 1_000,
  auditEveryMs: 10_000,
  auditPatienceMs: 2_000,
  lateMs: 300,
};
const NEWS_BYTES = 100;
const EVENTS_IN_FRAME = 10;

interface PendingRead {
  readonly kind: 'snapshot' | 'past' | 'projected';
  answer(isSuccess: boolean): void;
}

export class UserStreamHarness {
  readonly stream: UserStream;
  readonly clock = new FakeClock();
  readonly pending: PendingRead[] = [];
  readonly gaps: string[] = [];
  /** All the user's events by frame; undefined for a frame without any. */
  readonly frames: (UserEntries | undefined)[] = [undefined];
  /** Captured history, and the first frame that it still has. */
  readonly history: UserEntries[] = [];
  historyFrom = 1;
  publishedFrame = 0;
  projectedFrame = 0;
  #onEvents: (events: UserEntries) => void = () => {};

  constructor(settings: Partial<UserStreamSettings> = {}) {
    this.stream = new UserStream({
      source: this.#source(),
      clock: this.clock,
      settings: { ...SETTINGS, ...settings },
      watcher: {
        began() {},
        resumed() {},
        notResumable() {},
        gap: (foundBy) => this.gaps.push(foundBy),
      },
    });
  }

  /** Adds a frame with this many entries. */
  commit(entryCount: number): void {
    const frame = this.frames.length;
    const after = this.frames.findLast((events) => events !== undefined)?.last ?? at(0, 0);
    const entries = Array.from({ length: entryCount }, (_, index) => entryAt(frame, index * 2));
    const last = entries.at(-1)?.position;
    this.frames.push(last && { user: 7, after, entries, last, bytes: NEWS_BYTES });
  }

  /** Publishes the next frame, which can be lost for the stream, the history, or both. */
  publish({ isReceived = true, isCaptured = true } = {}): void {
    if (this.publishedFrame + 1 >= this.frames.length) return;
    this.publishedFrame += 1;
    const events = this.frames[this.publishedFrame];
    if (events === undefined) return;
    if (isCaptured) this.history.push(events);
    if (isReceived) this.#onEvents(events);
  }

  /** Repeats the last frames, like a restarted publisher. */
  repeat(count: number): void {
    for (
      let frame = Math.max(1, this.publishedFrame - count + 1);
      frame <= this.publishedFrame;
      frame += 1
    ) {
      const events = this.frames[frame];
      if (events === undefined) continue;
      this.history.push(events);
      this.#onEvents(events);
    }
  }

  project(): void {
    this.projectedFrame = this.frames.length - 1;
  }

  /** Answers the oldest request, if there is one. */
  async answer(isSuccess = true): Promise<void> {
    this.pending.shift()?.answer(isSuccess);
    await turn();
  }

  async answerAll(): Promise<void> {
    while (this.pending.length > 0) await this.answer();
  }

  pass(ms: number): Promise<void> {
    return this.clock.pass(ms);
  }

  /** Returns the first entry after the position. */
  entryAfter(position: Position): Position | undefined {
    for (const events of this.frames) {
      const found = events?.entries.find((entry) => isAfter(entry.position, position));
      if (found !== undefined) return found.position;
    }
    return undefined;
  }

  #source(): UserSource {
    const ask = <Result>(kind: PendingRead['kind'], make: () => Result) =>
      new Promise<Result | undefined>((resolve) => {
        const answer = (isSuccess: boolean) => resolve(isSuccess ? make() : undefined);
        this.pending.push({ kind, answer });
      });
    return {
      subscribe: (receive) => {
        this.#onEvents = receive;
        return {
          stop: () => {
            this.#onEvents = () => {};
          },
        };
      },
      readSnapshot: () => {
        // Includes everything published before the request.
        const frame = this.publishedFrame;
        return ask('snapshot', () => snapshotAt(Math.max(frame, this.projectedFrame)));
      },
      readHistory: (from) => ask('past', () => this.#past(from)),
      readProjected: () => ask('projected', () => this.#projected()),
    };
  }

  #past(from: Position): PastEvents {
    const history = this.history.filter(({ last }) => last.frame >= this.historyFrom);
    return {
      events: history.filter(({ last }) => last.frame >= from.frame),
      reachesBack: this.historyFrom < from.frame,
    };
  }

  #projected(): ProjectedState {
    const frame = this.projectedFrame;
    const last = this.frames.slice(0, frame + 1).findLastIndex((events) => events !== undefined);
    return { frame, lastFrame: Math.max(last, 0) };
  }
}

/** Verifies that each entry directly follows the entries received so far. */
export class StrictSubscriber implements EventSubscriber {
  readonly #harness: UserStreamHarness;
  readonly #wanted: Position | undefined;
  known: Position | undefined;
  readonly received: string[] = [];
  isRemoved = false;

  constructor(harness: UserStreamHarness, wanted?: Position) {
    this.#harness = harness;
    this.#wanted = wanted;
  }

  onSnapshot({ position }: Snapshot): void {
    assert.equal(this.isRemoved, false);
    this.received.push(`snapshot ${position.frame}`);
    this.known = position;
  }

  onResumed(from: Position): void {
    assert.equal(this.isRemoved, false);
    assert.deepEqual(from, this.#wanted);
    this.received.push(`resumed ${positionText(from)}`);
    this.known = from;
  }

  onEntry({ position }: UserEntry, previous: Position): void {
    assert.equal(this.isRemoved, false);
    assert.deepEqual(previous, this.known);
    assert.deepEqual(position, this.#harness.entryAfter(previous), 'the next one and no other');
    this.received.push(positionText(position));
    this.known = position;
  }

  onMessage({ text }: FramedMessage): void {
    assert.equal(this.isRemoved, false);
    assert.ok(text.includes(`"${this.received.at(-1)}"`), 'of the previous entry');
  }
}

export function at(frame: number, index: number): Position {
  return { frame, index };
}

function entryAt(frame: number, index: number): UserEntry {
  const message = new FramedMessage('order', `{"topic":"order","data":"${frame}.${index}"}`);
  return new UserEntry(at(frame, index), [message]);
}

/** Returns a snapshot at the end of a frame. */
export function snapshotAt(frame: number): Snapshot {
  const position = at(frame, EVENTS_IN_FRAME - 1);
  const texts = { openOrders: [], lastOrders: [], fills: [], balance: '{}' };
  return makeSnapshot(texts, { user: 7, position, timeMs: 0 });
}
