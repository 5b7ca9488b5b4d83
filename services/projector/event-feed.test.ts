// The feed: every message once and in order, however often there is no room, and never more waiting
// than the bound and one message.

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

/** A log that delivers when told, and counts how often it was followed. */
class ToldLog implements Pick<LogStream, 'follow'> {
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

  /** Says whether somebody took it. The bytes are used again afterwards, as a real log does. */
  deliver(): boolean {
    const message = this.messages[this.#next - 1];
    if (this.#receive === undefined || message === undefined) return false;
    const lent = new Uint8Array(message);
    this.#receive(this.#next++, lent);
    lent.fill(0);
    return true;
  }
}

test('what there is no room for waits, and reading stops and begins again', (context) => {
  const log = new ToldLog(50);
  const taken: number[] = [];
  let room = 3;
  const feed = new EventFeed({
    log: log as unknown as LogStream,
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
  // Three were taken, four fill the queue, the next one is over the bound.
  assert.deepEqual(taken, [1, 2, 3]);
  assert.equal(feed.readSequence, 8);
  assert.ok(feed.isHeld);
  room = 2;
  feed.resume();
  assert.deepEqual([taken.at(-1), feed.isHeld], [5, true]);
  room = 1;
  feed.resume();
  assert.deepEqual([taken.at(-1), feed.isHeld, log.followed], [6, false, 2]);
  for (let turn = 0; taken.length < 50; turn++) {
    assert.ok(turn < 100, 'it comes to an end');
    while (log.deliver());
    room = 7;
    feed.resume();
  }
  assert.deepEqual(
    taken,
    Array.from({ length: 50 }, (_, index) => index + 1),
  );
});

test('nothing is offered after the end', () => {
  const log = new ToldLog(5);
  const feed = new EventFeed({
    log: log as unknown as LogStream,
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
