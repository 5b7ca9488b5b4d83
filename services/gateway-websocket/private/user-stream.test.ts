// In any order of messages and responses, each subscriber gets each entry once and in order, or a
// new snapshot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Position } from '../../../infra/live-feed/index.ts';
import { readPosition } from './position.ts';
import { at, StrictSubscriber, UserStreamHarness } from './user-stream-for-test.ts';

function join(harness: UserStreamHarness, from?: Position): StrictSubscriber {
  const subscriber = new StrictSubscriber(harness, from);
  harness.stream.add(subscriber, from);
  return subscriber;
}

/** Frames 1–3 are published and projected. */
function startedHarness(settings = {}): UserStreamHarness {
  const harness = new UserStreamHarness(settings);
  for (let frame = 1; frame <= 3; frame += 1) {
    harness.commit(1);
    harness.publish();
  }
  harness.project();
  return harness;
}

test('entries received before the snapshot follow it, if they are later', async () => {
  const harness = startedHarness();
  const subscriber = join(harness);
  harness.commit(2);
  harness.publish();
  harness.project();
  harness.commit(1);
  harness.publish();
  assert.deepEqual(subscriber.received, []);
  await harness.answer();
  assert.deepEqual(subscriber.received, ['snapshot 4', '5.0']);
  harness.commit(2);
  harness.publish();
  assert.deepEqual(subscriber.received, ['snapshot 4', '5.0', '6.0', '6.2']);
});

test('repeats are dropped, completely or in part', async () => {
  const harness = startedHarness();
  const subscriber = join(harness);
  await harness.answer();
  harness.repeat(3);
  harness.commit(3);
  harness.publish();
  harness.repeat(2);
  assert.deepEqual(subscriber.received, ['snapshot 3', '4.0', '4.2', '4.4']);
  assert.deepEqual(harness.gaps, []);
});

test('events that the tables already contain are not sent twice', async () => {
  const harness = startedHarness();
  const subscriber = join(harness);
  harness.commit(1);
  harness.commit(1);
  harness.project();
  await harness.answer();
  harness.publish();
  harness.publish();
  harness.commit(1);
  harness.publish();
  assert.deepEqual(subscriber.received, ['snapshot 5', '6.0']);
});

test('a lost message gives all subscribers a new snapshot', async () => {
  const harness = startedHarness();
  const [one, two] = [join(harness), join(harness)];
  await harness.answer();
  assert.equal(harness.pending.length, 0, 'one snapshot serves both');
  harness.commit(1);
  harness.publish({ isReceived: false });
  harness.commit(1);
  harness.publish();
  harness.commit(1);
  harness.publish();
  assert.deepEqual(one.received, ['snapshot 3']);
  await harness.answer();
  for (const subscriber of [one, two])
    assert.deepEqual(subscriber.received, ['snapshot 3', 'snapshot 5', '6.0']);
  assert.deepEqual(harness.gaps, ['events', 'events']);
});

test('a later subscriber does not affect earlier ones', async () => {
  const harness = startedHarness();
  const early = join(harness);
  await harness.answer();
  harness.commit(1);
  harness.publish();
  const late = join(harness);
  harness.commit(1);
  harness.publish();
  await harness.answer();
  assert.deepEqual(early.received, ['snapshot 3', '4.0', '5.0']);
  assert.deepEqual(late.received, ['snapshot 4', '5.0']);
});

test('a failed snapshot is requested again', async () => {
  const harness = startedHarness();
  const subscriber = join(harness);
  await harness.answer(false);
  assert.equal(harness.pending.length, 0);
  await harness.pass(100);
  await harness.answer();
  assert.deepEqual(subscriber.received, ['snapshot 3']);
});

test('when too much is buffered, the snapshot is taken again', async () => {
  const harness = startedHarness({ bufferedBytesMax: 250 });
  const subscriber = join(harness);
  for (let count = 0; count < 3; count += 1) {
    harness.commit(1);
    harness.publish();
  }
  await harness.answer();
  assert.deepEqual(subscriber.received, []);
  await harness.pass(100);
  await harness.answer();
  assert.deepEqual(subscriber.received, ['snapshot 6']);
});

test('after a reconnect all subscribers get a snapshot with the missed events', async () => {
  const harness = startedHarness();
  const subscriber = join(harness);
  await harness.answer();
  const waiting = join(harness);
  harness.commit(1);
  harness.publish({ isReceived: false });
  harness.stream.onReconnect();
  // The response to a request from before the disconnect is ignored.
  await harness.answer();
  assert.deepEqual(waiting.received, []);
  await harness.pass(100);
  await harness.answer();
  assert.deepEqual(subscriber.received, ['snapshot 3', 'snapshot 4']);
  assert.deepEqual(waiting.received, ['snapshot 4']);
});

test('a lost last message is found in the tables; a late one is not a gap', async () => {
  const harness = startedHarness();
  const subscriber = join(harness);
  await harness.answer();
  harness.commit(1);
  harness.project();
  await harness.pass(1_000);
  await harness.answer();
  harness.publish();
  await harness.pass(2_000);
  assert.deepEqual(subscriber.received, ['snapshot 3', '4.0']);
  harness.commit(1);
  harness.publish({ isReceived: false });
  harness.project();
  await harness.pass(10_000);
  await harness.answer();
  await harness.pass(2_000);
  await harness.answer();
  assert.deepEqual(subscriber.received, ['snapshot 3', '4.0', 'snapshot 5']);
  assert.deepEqual(harness.gaps, ['audit']);
});

test('a removed subscriber gets nothing more, and a closed stream reads nothing', async () => {
  const harness = startedHarness();
  const subscriber = join(harness);
  await harness.answer();
  const onEntry = subscriber.onEntry.bind(subscriber);
  subscriber.onEntry = (...entry) => {
    onEntry(...entry);
    harness.stream.remove(subscriber);
    subscriber.isRemoved = true;
  };
  harness.commit(3);
  harness.publish();
  assert.deepEqual(subscriber.received, ['snapshot 3', '4.0']);
  join(harness);
  harness.stream.close();
  await harness.answerAll();
  await harness.pass(100_000);
  assert.equal(harness.pending.length, 0);
});

// Frames starting at 4, and the result of resuming after the position. `!` is lost for the stream,
// `-` for the history as well, `.` has no events; `|` marks where the history begins.
const resumptions: [title: string, from: string, history: string, received: string[]][] = [
  ['all later entries', '4.0', '+++', ['resumed 4.0', '5.0', '6.0']],
  ['nothing if there are no later entries', '6.0', '+++', ['resumed 6.0']],
  ['the rest of a frame', '3.0', '.+', ['resumed 3.0', '5.0']],
  ["all entries after a snapshot's position", '4.9', '..+', ['resumed 4.9', '6.0']],
  ['a snapshot if the history is too short', '3.0', '++|+', ['snapshot 6']],
  ['all entries if the history just covers them', '5.0', '++|+', ['resumed 5.0', '6.0']],
  ['nothing, long after the last events', '6.9', '+...|.', ['resumed 6.9']],
  ['a snapshot if the history has a gap', '3.0', '+-+', ['snapshot 6']],
  ['a snapshot if the history lacks its end', '4.0', '++-', ['snapshot 6']],
  ['a snapshot for a position in the future', '99.0', '+++', ['snapshot 6']],
];

for (const [title, from, history, received] of resumptions) {
  test(`resuming returns ${title}`, async () => {
    const harness = startedHarness();
    for (const sign of history) {
      if (sign === '|') harness.historyFrom = harness.frames.length;
      else {
        harness.commit(sign === '.' ? 0 : 1);
        harness.publish({ isReceived: false, isCaptured: sign !== '-' });
      }
    }
    harness.project();
    const subscriber = join(harness, readPosition(from));
    await harness.answerAll();
    for (let tries = 0; tries < 4; tries += 1) await harness.pass(100);
    await harness.answerAll();
    assert.deepEqual(subscriber.received, received);
  });
}

test('entries received while the history is read follow it, once', async () => {
  const harness = startedHarness();
  harness.commit(2);
  harness.publish({ isReceived: false });
  const subscriber = join(harness, at(4, 0));
  harness.commit(1);
  harness.publish();
  harness.commit(1);
  harness.publish({ isCaptured: false });
  await harness.answerAll();
  harness.commit(1);
  harness.publish();
  assert.deepEqual(subscriber.received, ['resumed 4.0', '4.2', '5.0', '6.0', '7.0']);
});

test('the stream waits for projected events that are not published yet', async () => {
  const harness = startedHarness();
  harness.commit(1);
  harness.project();
  const subscriber = join(harness, at(3, 0));
  await harness.answerAll();
  assert.deepEqual(subscriber.received, []);
  harness.publish();
  harness.commit(1);
  harness.publish();
  await harness.pass(100);
  assert.deepEqual(subscriber.received, ['resumed 3.0', '4.0', '5.0']);
});

test('a disconnect while the history is read results in a snapshot', async () => {
  const harness = startedHarness();
  const subscriber = join(harness, at(3, 0));
  await harness.answer();
  harness.commit(1);
  harness.publish({ isReceived: false, isCaptured: false });
  harness.stream.onReconnect();
  await harness.answerAll();
  assert.deepEqual(subscriber.received, ['snapshot 4']);
});

test('a frame missing from the history might have had more events', async () => {
  const harness = startedHarness();
  harness.commit(2);
  harness.publish({ isReceived: false, isCaptured: false });
  harness.project();
  harness.historyFrom = 5;
  const subscriber = join(harness, at(4, 0));
  await harness.answerAll();
  assert.deepEqual(subscriber.received, ['snapshot 4']);
});

test('without the tables the history alone is enough, if it has an entry', async () => {
  const harness = startedHarness();
  const [one, two] = [join(harness, at(2, 0)), join(harness, at(3, 0))];
  const answers = { projected: false, past: true, snapshot: false };
  while (harness.pending.length > 0) await harness.answer(answers[harness.pending[0].kind]);
  assert.deepEqual(one.received, ['resumed 2.0', '3.0']);
  assert.deepEqual(two.received, []);
  await harness.pass(100);
  await harness.answerAll();
  assert.deepEqual(two.received, ['snapshot 3']);
});

type Step =
  | { kind: 'commit'; count: number }
  | { kind: 'say'; isReceived: boolean; isCaptured: boolean }
  | { kind: 'repeat' | 'pass'; count: number }
  | { kind: 'project' | 'join' | 'leave' | 'resume' | 'shorten' | 'reconnect' }
  | { kind: 'answer'; isSuccess: boolean };

const mostly = fc.integer({ min: 0, max: 9 }).map((number) => number > 0);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('commit'), count: fc.nat(3) }) },
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('say'), isReceived: mostly, isCaptured: mostly }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repeat'), count: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass'), count: fc.nat(3_000) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('answer'), isSuccess: mostly }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom('project', 'join', 'leave', 'resume') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('shorten', 'reconnect') }) },
) as fc.Arbitrary<Step>;

test('in any order of events, each subscriber gets each entry once or a new snapshot', async () => {
  let [snapshots, resumed, gaps] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 120 }), async (steps) => {
      const harness = new UserStreamHarness();
      const [subscribers, left] = [new Set<StrictSubscriber>(), new Set<StrictSubscriber>()];
      for (const one of steps) await take(harness, one, { subscribers, left });
      await settle(harness);
      // Every remaining subscriber has received everything.
      for (const subscriber of subscribers) {
        assert.ok(subscriber.known !== undefined);
        assert.equal(
          harness.entryAfter(subscriber.known),
          undefined,
          subscriber.received.join(' '),
        );
      }
      const received = [...subscribers, ...left].flatMap((subscriber) => subscriber.received);
      snapshots += received.filter((line) => line.startsWith('snapshot')).length;
      resumed += received.filter((line) => line.startsWith('resumed')).length;
      gaps += harness.gaps.length;
    }),
    { numRuns: 1_000 },
  );
  // Otherwise the test has observed nothing.
  assert.ok(snapshots > 500 && resumed > 100 && gaps > 100, `${snapshots} ${resumed} ${gaps}`);
});

async function take(
  harness: UserStreamHarness,
  one: Step,
  { left, subscribers }: { subscribers: Set<StrictSubscriber>; left: Set<StrictSubscriber> },
): Promise<void> {
  const [oldest] = subscribers;
  switch (one.kind) {
    case 'commit':
      harness.commit(one.count);
      break;
    case 'say':
      harness.publish(one);
      break;
    case 'repeat':
      harness.repeat(one.count);
      break;
    case 'pass':
      await harness.pass(one.count);
      break;
    case 'answer':
      await harness.answer(one.isSuccess);
      break;
    case 'project':
      harness.project();
      break;
    case 'join':
      subscribers.add(join(harness));
      break;
    case 'resume': {
      // Like a client that was connected before.
      const [someone] = left;
      if (someone?.known === undefined) break;
      left.delete(someone);
      subscribers.add(join(harness, someone.known));
      break;
    }
    case 'leave':
      if (oldest === undefined) break;
      harness.stream.remove(oldest);
      oldest.isRemoved = true;
      subscribers.delete(oldest);
      left.add(oldest);
      break;
    case 'shorten':
      harness.historyFrom = harness.publishedFrame;
      break;
    case 'reconnect':
      harness.stream.onReconnect();
      break;
  }
}

/** Loses nothing more and lets the tables catch up. */
async function settle(harness: UserStreamHarness): Promise<void> {
  while (harness.publishedFrame + 1 < harness.frames.length) harness.publish();
  harness.project();
  for (let round = 0; round < 8; round += 1) {
    await harness.answerAll();
    await harness.pass(10_000);
  }
  await harness.answerAll();
}
