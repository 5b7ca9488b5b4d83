// One flush per frame, the last value wins, and a value that came back costs nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cell, Flusher } from './live-store.ts';

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
