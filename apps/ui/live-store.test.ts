// One flush per frame with the last value, none for a value that changed back, and at most ten
// flushes per second.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cell, Flusher, pacedFrames } from './live-store.ts';

test('many writes before a frame reach listeners once, with the last value', () => {
  const frames: (() => void)[] = [];
  const flusher = new Flusher((flush) => frames.push(flush));
  const [price, size] = [new Cell('1', flusher), new Cell('a', flusher)];
  const heard: string[] = [];
  price.subscribe(() => heard.push(price.shown()));
  const stop = size.subscribe(() => heard.push(size.shown()));
  for (const value of ['2', '3', '4']) price.set(value);
  size.set('b');
  assert.deepEqual([heard, frames.length, price.shown(), price.latest], [[], 1, '1', '4']);
  frames[0]();
  assert.deepEqual(heard, ['4', 'b']);
  stop();
  price.set('5');
  price.set('4');
  size.set('c');
  assert.equal(frames.length, 2);
  frames[1]();
  assert.deepEqual(heard, ['4', 'b']);
  assert.equal(size.shown(), 'c');
});

test('the first change after a pause is drawn in the next frame, later ones after 100 ms', () => {
  let nowMs = 1_000;
  const later: { atMs: number; run: () => void }[] = [];
  const drawnAt: number[] = [];
  const advance = (toMs: number) => {
    nowMs = toMs;
    for (const { run } of later.splice(0).filter(({ atMs }) => atMs <= toMs)) run();
  };
  const schedule = pacedFrames((draw) => later.push({ atMs: nowMs + 16, run: draw }), {
    now: () => nowMs,
    after: (ms, run) => later.push({ atMs: nowMs + ms, run }),
  });
  const flusher = new Flusher(schedule);
  const price = new Cell(0, flusher);
  price.subscribe(() => drawnAt.push(nowMs));
  price.set(1);
  advance(1_016);
  price.set(2);
  price.set(3);
  advance(1_116);
  advance(1_132);
  assert.deepEqual([drawnAt, price.shown()], [[1_016, 1_132], 3]);
  nowMs = 2_000;
  price.set(4);
  advance(2_016);
  assert.deepEqual(drawnAt, [1_016, 1_132, 2_016]);
});
