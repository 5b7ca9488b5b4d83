// A user's news, tables and kept past in memory, in a time that a test moves: everything that a
// UserStream asks for, answered when the test wants, with losses and repeats where it wants.

import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { Position } from '../../../infra/live-feed/index.ts';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import { isAfter, positionText } from './position.ts';
import { makeSnapshot, type Snapshot } from './snapshot.ts';
import { FramedMessage, type UserEntries, UserEntry } from './user-entries.ts';
import {
  type Past,
  type Reader,
  type Standing,
  type UserSource,
  UserStream,
  type UserStreamSettings,
} from './user-stream.ts';

export const SETTINGS: UserStreamSettings = {
  retryMs: 100,
  heldBytesMax: 1_000,
  auditAfterMs: 1_000,
  auditEveryMs: 10_000,
  auditPatienceMs: 2_000,
  lateMs: 300,
};
const NEWS_BYTES = 100;
const EVENTS_IN_FRAME = 10;

interface Asked {
  readonly kind: 'snapshot' | 'past' | 'standing';
  answer(isSuccess: boolean): void;
}

export class UserStreamHarness {
  readonly stream: UserStream;
  readonly clock = new FakeClock();
  readonly asked: Asked[] = [];
  readonly gaps: string[] = [];
  /** By frame: all that ever happened to the user. Frames without news are there too. */
  readonly frames: (UserEntries | undefined)[] = [undefined];
  /** What the stream of the past has caught, and the first frame that it still has. */
  readonly kept: UserEntries[] = [];
  keptFrom = 1;
  saidFrame = 0;
  projectedFrame = 0;
  #onMessage: (news: UserEntries) => void = () => {};

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

  /** A frame that tells the user so many things. */
  commit(entryCount: number): void {
    const frame = this.frames.length;
    const after = this.frames.findLast((news) => news !== undefined)?.last ?? place(0, 0);
    const entries = Array.from({ length: entryCount }, (_, index) => entryAt(frame, index * 2));
    const last = entries.at(-1)?.position;
    this.frames.push(last && { user: 7, after, entries, last, bytes: NEWS_BYTES });
  }

  /** Says the next frame; it may be lost on its way to us, or to the past, or to both. */
  say({ isHeard = true, isKept = true } = {}): void {
    if (this.saidFrame + 1 >= this.frames.length) return;
    this.saidFrame += 1;
    const news = this.frames[this.saidFrame];
    if (news === undefined) return;
    if (isKept) this.kept.push(news);
    if (isHeard) this.#onMessage(news);
  }

  /** A publisher that was started again says the last frames once more. */
  repeat(count: number): void {
    for (let frame = Math.max(1, this.saidFrame - count + 1); frame <= this.saidFrame; frame += 1) {
      const news = this.frames[frame];
      if (news === undefined) continue;
      this.kept.push(news);
      this.#onMessage(news);
    }
  }

  project(): void {
    this.projectedFrame = this.frames.length - 1;
  }

  /** The oldest question, if there is one. */
  async answer(isSuccess = true): Promise<void> {
    this.asked.shift()?.answer(isSuccess);
    await turn();
  }

  async answerAll(): Promise<void> {
    while (this.asked.length > 0) await this.answer();
  }

  pass(ms: number): Promise<void> {
    return this.clock.pass(ms);
  }

  /** The first entry behind the place. */
  entryAfter(position: Position): Position | undefined {
    for (const news of this.frames) {
      const found = news?.entries.find((entry) => isAfter(entry.position, position));
      if (found !== undefined) return found.position;
    }
    return undefined;
  }

  #source(): UserSource {
    const ask = <Result>(kind: Asked['kind'], make: () => Result) =>
      new Promise<Result | undefined>((resolve) => {
        const answer = (isSuccess: boolean) => resolve(isSuccess ? make() : undefined);
        this.asked.push({ kind, answer });
      });
    return {
      listen: (hear) => {
        this.#onMessage = hear;
        return {
          stop: () => {
            this.#onMessage = () => {};
          },
        };
      },
      readSnapshot: () => {
        // Whatever was said before the question is in it.
        const frame = this.saidFrame;
        return ask('snapshot', () => snapshotAt(Math.max(frame, this.projectedFrame)));
      },
      readPast: (from) => ask('past', () => this.#past(from)),
      readStanding: () => ask('standing', () => this.#standing()),
    };
  }

  #past(from: Position): Past {
    const kept = this.kept.filter(({ last }) => last.frame >= this.keptFrom);
    return {
      news: kept.filter(({ last }) => last.frame >= from.frame),
      reachesBack: this.keptFrom < from.frame,
    };
  }

  #standing(): Standing {
    const frame = this.projectedFrame;
    const last = this.frames.slice(0, frame + 1).findLastIndex((news) => news !== undefined);
    return { frame, lastFrame: Math.max(last, 0) };
  }
}

/** Believes nothing: each entry must be the next one behind what it knows. */
export class StrictSubscriber implements Reader {
  readonly #world: UserStreamHarness;
  readonly #wanted: Position | undefined;
  known: Position | undefined;
  readonly told: string[] = [];
  isGone = false;

  constructor(world: UserStreamHarness, wanted?: Position) {
    this.#world = world;
    this.#wanted = wanted;
  }

  begin({ position }: Snapshot): void {
    assert.equal(this.isGone, false);
    this.told.push(`snapshot ${position.frame}`);
    this.known = position;
  }

  resumed(from: Position): void {
    assert.equal(this.isGone, false);
    assert.deepEqual(from, this.#wanted);
    this.told.push(`resumed ${positionText(from)}`);
    this.known = from;
  }

  give({ position }: UserEntry, previous: Position): void {
    assert.equal(this.isGone, false);
    assert.deepEqual(previous, this.known);
    assert.deepEqual(position, this.#world.entryAfter(previous), 'the next one, and no other');
    this.told.push(positionText(position));
    this.known = position;
  }

  giveMessage({ text }: FramedMessage): void {
    assert.equal(this.isGone, false);
    assert.ok(text.includes(`"${this.told.at(-1)}"`), 'of the entry before');
  }
}

export function place(frame: number, index: number): Position {
  return { frame, index };
}

function entryAt(frame: number, index: number): UserEntry {
  const message = new FramedMessage('order', `{"topic":"order","data":"${frame}.${index}"}`);
  return new UserEntry(place(frame, index), [message]);
}

/** As of the end of a frame. */
export function snapshotAt(frame: number): Snapshot {
  const position = place(frame, EVENTS_IN_FRAME - 1);
  const texts = { orders: [], fills: [], balance: '{}' };
  return makeSnapshot(texts, { user: 7, position, timeMs: 0 });
}
