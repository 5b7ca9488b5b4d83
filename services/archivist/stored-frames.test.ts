// Ages of frames that are not stored yet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoredFrames } from './stored-frames.ts';

test('the age of the oldest unstored frame is exact to a second', () => {
  const frames = new StoredFrames();
  assert.equal(frames.waitingSinceMs, undefined);
  for (let frame = 1; frame <= 50; frame++) frames.applied(frame, 10_000 + 100 * frame);
  assert.equal(frames.waitingSinceMs, 10_100, 'the first frame');
  frames.stored(20);
  assert.equal(frames.waitingSinceMs, 12_100, 'frame 21');
  frames.stored(49);
  assert.equal(frames.waitingSinceMs, 15_000, 'frame 50, although no sample was due');
  frames.stored(50);
  assert.equal(frames.waitingSinceMs, undefined);
});

test('an exchange without commands has no unstored frames, no matter how long it is idle', () => {
  const frames = new StoredFrames();
  frames.stored(7);
  frames.applied(7, 1_000);
  assert.equal(frames.waitingSinceMs, undefined, 'replayed after a start');
  frames.applied(8, 900_000);
  assert.equal(frames.waitingSinceMs, 900_000);
});
