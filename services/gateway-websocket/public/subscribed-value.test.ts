// Decides which of two values wins, and when to read the stream again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import { FakeFeed, message } from './feed-for-test.ts';
import { SubscribedValue } from './subscribed-value.ts';

function world() {
  const [feed, clock] = [new FakeFeed(), new FakeClock(1_700_000_000_000)];
  const texts: string[] = [];
  let reads = 0;
  const value = new SubscribedValue({
    feed,
    clock,
    subject: 'a',
    onValue: ({ text }) => texts.push(text),
    onRead: () => reads++,
  });
  return { feed, clock, value, texts, readCount: () => reads };
}

test('a message received during a read is not replaced by an older value', async () => {
  const { feed, texts } = world();
  feed.publish(message('a', 5, 'heard'));
  await feed.answer(message('a', 4, 'older'));
  assert.deepEqual(texts, ['heard']);
});

test('the stored value wins if it is newer, or equally new and nothing was received', async () => {
  const { clock, feed, texts } = world();
  await feed.answer(message('a', 4, 'first'));
  clock.advance(1_000);
  await feed.answer(message('a', 4, 'moved'));
  clock.advance(60_000);
  await feed.answer(message('a', 5, 'newer'));
  assert.deepEqual(texts, ['first', 'moved', 'newer']);
});

test('repeated and older values are not reported', async () => {
  const { feed, texts } = world();
  await feed.answer(message('a', 4, 'first'));
  for (const [frame, text] of [
    [4, 'first'],
    [3, 'old'],
    [4, 'again'],
    [6, 'six'],
  ] as const) {
    feed.publish(message('a', frame, text));
  }
  assert.deepEqual(texts, ['first', 'again', 'six']);
});

test('the stream is read again after a fault, a second later, and after a reconnect', async () => {
  const { clock, feed, readCount } = world();
  await feed.answer('fault');
  assert.equal(readCount(), 0);
  clock.advance(300);
  await feed.answer('none');
  assert.equal(readCount(), 1);
  clock.advance(1_000);
  assert.equal(feed.questions.length, 1);
  feed.comeBack();
  assert.equal(feed.questions.length, 1);
  await feed.answer('none');
  feed.comeBack();
  assert.equal(feed.questions.length, 1);
});

test('a closed value neither subscribes nor reads', async () => {
  const { clock, feed, texts, value } = world();
  value.close();
  await feed.answer(message('a', 1, 'late'));
  feed.publish(message('a', 2, 'later'));
  clock.advance(100_000);
  feed.comeBack();
  assert.deepEqual([texts, feed.questions.length, feed.subjects], [[], 0, []]);
});
