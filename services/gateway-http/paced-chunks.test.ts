// A client that reads its response too slowly is reported; database time does not count.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import { PacedChunks } from './paced-chunks.ts';

const CHUNK = 'x'.repeat(32_000);

function open(onChunk: () => void = () => {}) {
  const clock = new FakeClock();
  const slow: number[] = [];
  const chunks = (async function* () {
    for (;;) {
      onChunk();
      yield CHUNK;
    }
  })();
  const paced = new PacedChunks({ chunks, clock, onSlow: () => slow.push(clock.elapsedMs()) });
  return { clock, paced, slow };
}

test('abuse 75: a client that does not read is reported after five seconds', async () => {
  const { clock, paced, slow } = open();
  // The connection's buffers accept much immediately, but earn no more than the grace period.
  for (let at = 0; at < 100; at += 1) await paced.next();
  clock.advance(4_999);
  assert.deepEqual(slow, []);
  clock.advance(1);
  assert.deepEqual(slow, [5_000]);
});

const paces: [everyMs: number, isSlow: boolean][] = [
  [900, false],
  [1_000, false],
  [1_200, true],
  [4_000, true],
];

for (const [everyMs, isSlow] of paces) {
  test(`32 kB every ${everyMs} ms is ${isSlow ? 'too slow' : 'enough'}`, async () => {
    const { clock, paced, slow } = open();
    for (let at = 0; at < 60 && slow.length === 0; at += 1) {
      await paced.next();
      clock.advance(everyMs);
    }
    assert.equal(slow.length > 0, isSlow);
  });
}

test('the time to produce a chunk does not count', async () => {
  let made = 0;
  const { clock, paced, slow } = open(() => {
    made += 1;
    clock.advance(60_000);
  });
  for (let at = 0; at < 10; at += 1) await paced.next();
  assert.deepEqual([made, slow], [10, []]);
});

test('an abandoned response is not reported again', async () => {
  const { clock, paced, slow } = open();
  await paced.next();
  await paced.return();
  clock.advance(60_000);
  assert.deepEqual([slow, clock.pendingCount], [[], 0]);
});
