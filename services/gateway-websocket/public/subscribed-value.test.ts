// Which of two values counts, and when the stream is asked again.

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

test('what was heard while the stream was asked is not replaced by what is older', async () => {
  const { feed, texts } = world();
  feed.publish(message('a', 5, 'heard'));
  await feed.answer(message('a', 4, 'older'));
  assert.deepEqual(texts, ['heard']);
});

test('what the stream has is taken when it is newer, or as new and nothing was heard', async () => {
  const { clock, feed, texts } = world();
  await feed.answer(message('a', 4, 'first'));
  clock.advance(1_000);
  await feed.answer(message('a', 4, 'moved'));
  clock.advance(60_000);
  await feed.answer(message('a', 5, 'newer'));
  assert.deepEqual(texts, ['first', 'moved', 'newer']);
});

test('repeats and what is older are not told', async () => {
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

test('the stream is asked again after a fault, a second later, and when we come back', async () => {
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

test('once closed it neither listens nor asks', async () => {
  const { clock, feed, texts, value } = world();
  value.close();
  await feed.answer(message('a', 1, 'late'));
  feed.publish(message('a', 2, 'later'));
  clock.advance(100_000);
  feed.comeBack();
  assert.deepEqual([texts, feed.questions.length, feed.subjects], [[], 0, []]);
});
