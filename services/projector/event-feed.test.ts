// The feed delivers every message once and in order under backpressure, and its queue never exceeds
// the limit by more than one message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  encodeEventBatch,
  type LogStream,
  type LogSubscription,
  NO_HASH,
} from '../../infra/journal/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { EventFeed } from './event-feed.ts';

const MESSAGE_BYTES = 100;

/** A log that delivers on demand and counts its subscriptions. */
class ManualLog implements LogStream {
  readonly messages: Uint8Array[] = [];
  followed = 0;
  #next = 0;
  #receive: ((sequence: number, message: Uint8Array) => void) | undefined;

  constructor(count: number) {
    let hash = NO_HASH;
    for (let sequence = 1; sequence <= count; sequence++) {
      const part = { sequence, part: 0, isLast: true, bytes: new Uint8Array(MESSAGE_BYTES) };
      const batch = encodeEventBatch(hash, [part]);
      this.messages.push(batch.message);
      hash = batch.hash;
    }
  }

  follow(from: number, receive: (sequence: number, message: Uint8Array) => void): LogSubscription {
    this.followed++;
    this.#next = from;
    this.#receive = receive;
    return {
      stop: () => {
        this.#receive = undefined;
      },
    };
  }

  append(): never {
    return assert.fail('the feed only reads');
  }

  // Never responds: the tests end before the reader asks.
  extent(): void {}

  read(): void {}

  /** Returns false without a subscriber. Reuses the bytes afterwards, like the real log. */
  deliver(): boolean {
    const message = this.messages[this.#next - 1];
    if (this.#receive === undefined || message === undefined) return false;
    const lent = new Uint8Array(message);
    this.#receive(this.#next++, lent);
    lent.fill(0);
    return true;
  }
}

test('messages without room are queued, and reading pauses and resumes', (context) => {
  const log = new ManualLog(50);
  const taken: number[] = [];
  let room = 3;
  const feed = new EventFeed({
    log,
    clock: systemClock,
    from: 1,
    retryMs: 1_000,
    watchMs: 60_000,
    queueBytesMax: 4 * MESSAGE_BYTES,
    offer(sequence, { parts }) {
      if (room === 0) return false;
      room--;
      assert.equal(parts[0].sequence, sequence);
      taken.push(sequence);
      return true;
    },
    onLost: assert.fail,
  });
  context.after(() => feed.stop());
  while (log.deliver());
  // Three were taken, four fill the queue, the next one exceeds the limit.
  assert.deepEqual(taken, [1, 2, 3]);
  assert.equal(feed.readSequence, 8);
  assert.ok(feed.isPaused);
  room = 2;
  feed.resume();
  assert.deepEqual([taken.at(-1), feed.isPaused], [5, true]);
  room = 1;
  feed.resume();
  assert.deepEqual([taken.at(-1), feed.isPaused, log.followed], [6, false, 2]);
  for (let turn = 0; taken.length < 50; turn++) {
    assert.ok(turn < 100, 'it ends');
    while (log.deliver());
    room = 7;
    feed.resume();
  }
  assert.deepEqual(
    taken,
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
});

test('a stopped feed offers nothing', () => {
  const log = new ManualLog(5);
  const feed = new EventFeed({
    log,
    clock: systemClock,
    from: 1,
    retryMs: 1_000,
    watchMs: 60_000,
    queueBytesMax: 4 * MESSAGE_BYTES,
    offer: () => false,
    onLost: assert.fail,
  });
  log.deliver();
  feed.stop();
  assert.equal(log.deliver(), false);
  feed.resume();
  assert.equal(log.followed, 1);
});
