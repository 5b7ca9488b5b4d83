// A slow socket skips frames that a snapshot can replace, gets that snapshot once it has drained,
// and is closed when it accepts nothing or when a frame would be lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textFrame } from './frame.ts';
import { FakeWire } from './socket-for-test.ts';
import { SocketWriter } from './socket-writer.ts';

const BIG = textFrame('x'.repeat(600));

function world() {
  const wire = new FakeWire();
  const traffic = { frames: 0, bytes: 0, conflated: 0, refreshed: 0 };
  const closed: string[] = [];
  const limits = { waitingBytesMax: 1_000, waitingBytesOfAllMax: 2_000, stuckAfterMs: 10_000 };
  const writer = new SocketWriter({ wire, limits, traffic, onClose: (why) => closed.push(why) });
  const refreshed: string[] = [];
  const thing = (name: string) => ({
    refresh() {
      refreshed.push(name);
      writer.sendConflated(BIG, this);
    },
  });
  return { wire, traffic, closed, writer, refreshed, thing };
}

test('one snapshot replaces the dropped frames, after the socket has drained', () => {
  const { writer, refreshed, thing, traffic, wire } = world();
  const [book, trades] = [thing('book'), thing('trades')];
  wire.isSlow = true;
  assert.deepEqual(
    [1, 2, 3, 4].map(() => writer.sendConflated(BIG, book)),
    [true, true, false, false],
  );
  assert.equal(writer.sendConflated(BIG, trades), false);
  wire.drain();
  // Not before its snapshot: clients cannot apply a change without its base.
  assert.equal(writer.sendConflated(BIG, book), false);
  writer.onDrain();
  assert.deepEqual(refreshed, ['book', 'trades']);
  assert.deepEqual(traffic, { frames: 4, bytes: 4 * BIG.bytes.length, conflated: 4, refreshed: 2 });
  wire.drain();
  writer.onDrain();
  assert.equal(refreshed.length, 2);
  assert.equal(writer.sendConflated(BIG, book), true);
});

test('snapshots that do not fit are delayed until the next drain', () => {
  const { writer, refreshed, thing, wire } = world();
  const things = ['a', 'b', 'c', 'd', 'e'].map(thing);
  wire.isSlow = true;
  for (const one of things)
    for (let count = 0; count < 3; count += 1) writer.sendConflated(BIG, one);
  const seen: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    wire.drain();
    writer.onDrain();
    seen.push(refreshed.length);
  }
  // `a` filled the buffer; then two fit at a time.
  assert.deepEqual(seen, [2, 4, 5, 5]);
  assert.equal(wire.corks, 0);
});

test('an ended subscription gets no snapshot', () => {
  const { writer, refreshed, thing, wire } = world();
  const book = thing('book');
  wire.isSlow = true;
  for (let count = 0; count < 4; count += 1) writer.sendConflated(BIG, book);
  writer.forget(book);
  wire.drain();
  writer.onDrain();
  assert.deepEqual(refreshed, []);
});

test('a socket is closed if a frame would be lost', () => {
  const { closed, writer, wire } = world();
  wire.isSlow = true;
  for (let count = 0; count < 4; count += 1) writer.sendOrClose(BIG);
  assert.equal(wire.isOpen, true);
  writer.sendOrClose(BIG);
  assert.deepEqual(wire.closedWith, [1013, 'too slow: reconnect and subscribe again']);
  assert.deepEqual(closed, ['tooSlow']);
  writer.sendOrClose(BIG);
  assert.equal(wire.written.length, 4);
});

test('a socket that accepts nothing for ten seconds is terminated, a slow one is not', () => {
  const { closed, writer, wire } = world();
  wire.isSlow = true;
  writer.sendOrClose(BIG);
  for (let second = 0; second < 30; second += 1) {
    wire.mark += 1;
    writer.tick(second * 1_000);
  }
  assert.equal(wire.isOpen, true);
  writer.tick(39_000 - 1);
  assert.equal(wire.isOpen, true);
  writer.tick(39_000);
  assert.equal(wire.isTerminated, true);
  assert.deepEqual(closed, ['tooSlow']);
});

test('a socket without unsent data can be silent indefinitely', () => {
  const { writer, wire } = world();
  writer.sendOrClose(BIG);
  for (let minute = 0; minute < 10; minute += 1) writer.tick(minute * 60_000);
  assert.equal(wire.isOpen, true);
});
