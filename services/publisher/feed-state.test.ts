// Derived state on a chain of batches: batches that do not continue it are rejected, and frames in
// parts produce the same state as undivided ones.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { saveMarketData } from '../../core/market-data/index.ts';
import { type EventFrame, encodeEventFrame, FrameWriter } from '../../core/messages/index.ts';
import {
  decodeEventBatch,
  type EventBatch,
  type EventPart,
  encodeEventBatch,
  NO_HASH,
} from '../../infra/journal/index.ts';
import { decodeUserEvents } from '../../infra/live-feed/index.ts';
import { drive } from '../../testing/flows/index.ts';
import { makeEngine } from '../../testing/properties/tested-exchange.ts';
import { FeedState } from './feed-state.ts';

const writer = new FrameWriter();

function frames(): EventFrame[] {
  const { apply } = makeEngine();
  return [...drive({ flow: 'calm', seed: 2, commands: 1_500, apply })].map(({ seen }) => seen);
}

/** Splits a frame into parts of this many events. */
function partsOf(frame: EventFrame, eventsMax: number): EventPart[] {
  const parts: EventPart[] = [];
  for (let from = 0; from === 0 || from < frame.events.length; from += eventsMax) {
    const events = frame.events.slice(from, from + eventsMax);
    const bytes = new Uint8Array(encodeEventFrame(writer, { ...frame, events }));
    const isLast = from + eventsMax >= frame.events.length;
    parts.push({ sequence: frame.sequence, part: parts.length, isLast, bytes });
  }
  return parts;
}

function batches(parts: readonly EventPart[], partsMax: number): EventBatch[] {
  const made: EventBatch[] = [];
  let hash = NO_HASH;
  for (let from = 0; from < parts.length; from += partsMax) {
    const batch = encodeEventBatch(hash, parts.slice(from, from + partsMax));
    hash = batch.hash;
    made.push(decodeEventBatch(batch.message));
  }
  return made;
}

/** Returns every entry except balances, which are sent once for each part. */
function entriesOf(state: FeedState, all: readonly EventBatch[]): string[] {
  const lines: string[] = [];
  all.forEach((batch, at) => {
    state.apply(batch, at + 1, (messages) => {
      for (const { payload, user } of messages) {
        const events = decodeUserEvents(Buffer.from(payload));
        assert.ok(events !== undefined);
        const kept = events.messages.filter(({ topic }) => topic !== 'wallet');
        for (const [index, entry] of Map.groupBy(kept, ({ index }) => index)) {
          lines.push(`${events.frame} ${index} ${user} ${entry.map(({ text }) => text).join()}`);
        }
      }
    });
    if (!state.position.isComplete) assert.deepEqual([...state.takeChanges()], []);
  });
  return lines.sort();
}

test('frames in parts, and batches that end inside them, produce the same state', () => {
  const all = frames();
  const [whole, cut] = [FeedState.create(), FeedState.create()];
  const expected = entriesOf(
    whole,
    batches(
      all.flatMap((frame) => partsOf(frame, 1e9)),
      4,
    ),
  );
  const parts = all.flatMap((frame) => partsOf(frame, 3));
  assert.ok(parts.length > 2 * all.length);
  assert.deepEqual(entriesOf(cut, batches(parts, 5)), expected);
  assert.deepEqual([...saveMarketData(cut.data)], [...saveMarketData(whole.data)]);
  assert.deepEqual([...cut.userFeed.balances.save()], [...whole.userFeed.balances.save()]);
  assert.equal(cut.position.eventCount, whole.position.eventCount);
});

test('a restored state continues like the original', () => {
  const all = batches(
    frames().flatMap((frame) => partsOf(frame, 1e9)),
    4,
  );
  const straight = FeedState.create();
  let restored = FeedState.create();
  all.forEach((batch, at) => {
    const published: [string[], string[]] = [[], []];
    straight.apply(batch, at + 1, (messages) =>
      published[0].push(...messages.map(({ payload }) => payload)),
    );
    restored.apply(batch, at + 1, (messages) =>
      published[1].push(...messages.map(({ payload }) => payload)),
    );
    assert.deepEqual(published[1], published[0]);
    if (at % 5 === 0) restored = FeedState.restore(Buffer.concat(restored.save()));
  });
});

test('a skipped batch, a repeated batch and a batch from another chain are rejected', () => {
  const all = batches(
    frames()
      .slice(0, 9)
      .flatMap((frame) => partsOf(frame, 1e9)),
    2,
  );
  const silence = () => {};
  const state = FeedState.create();
  state.apply(all[0], 1, silence);
  assert.throws(() => state.apply(all[2], 3, silence), /expected message 2 of EVENTS, received 3/);
  assert.throws(() => state.apply(all[0], 1, silence), /expected message 2 of EVENTS, received 1/);
  assert.throws(() => state.apply(all[2], 2, silence), /belongs to another chain/);
  const { hash, message } = encodeEventBatch(all[0].hash, all[2].parts);
  assert.ok(hash.length > 0);
  const forged = decodeEventBatch(message);
  assert.throws(() => state.apply(forged, 2, silence), /part 0 of frame 5 is not the next one/);
});

test('a saved state with another version is rejected', () => {
  const bytes = Buffer.concat(FeedState.create().save());
  assert.equal(FeedState.restore(bytes).position.message, 0);
  const other = Buffer.from(bytes.toString().replace('["feed",1,', '["feed",999,'));
  assert.throws(() => FeedState.restore(other), /another version/);
  assert.throws(() => FeedState.restore(Buffer.alloc(0)), /another version/);
});
