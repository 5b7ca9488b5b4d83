// Expected processes: responding, not responding, stopped, replaced, dismissed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatusBeat } from '../../infra/status/index.ts';
import { ProcessBook } from './process-book.ts';

const BEAT: StatusBeat = {
  service: 'projector',
  instance: 'projector-a',
  host: 'one',
  pid: 10,
  version: '1.0.0',
  commit: 'c',
  startedMs: 1_000,
  checks: { journal: true },
  figures: {},
  disks: [],
  isLeaving: false,
};
const BUS_UP_MS = 0;

function states(book: ProcessBook, nowMs: number): string[] {
  return book.facts(nowMs).map(({ instance, state }) => `${instance} ${state}`);
}

test('a process without beats is down after three seconds, until it returns', () => {
  const book = new ProcessBook();
  book.heard(BEAT, 10_000);
  book.tick(13_000, BUS_UP_MS);
  assert.deepEqual(states(book, 13_000), ['projector-a running']);
  book.tick(13_001, BUS_UP_MS);
  assert.deepEqual(states(book, 13_001), ['projector-a down']);
  book.heard({ ...BEAT, pid: 11, startedMs: 20_000 }, 20_000);
  assert.deepEqual(states(book, 20_000), ['projector-a running']);
});

test('a process that says goodbye is stopped, not down, and is forgotten after a week', () => {
  const book = new ProcessBook();
  book.heard({ ...BEAT, isLeaving: true }, 10_000);
  book.tick(60_000, BUS_UP_MS);
  assert.deepEqual(states(book, 60_000), ['projector-a stopped']);
  book.tick(10_000 + 7 * 86_400_000 + 1, BUS_UP_MS);
  assert.deepEqual(states(book, 0), []);
  assert.deepEqual(book.unwritten(0).removed, ['projector-a']);
});

test('missing beats mean nothing while the bus is unreachable, and count from its return', () => {
  const book = new ProcessBook();
  book.heard(BEAT, 10_000);
  book.tick(60_000, undefined);
  assert.deepEqual(states(book, 60_000), ['projector-a running']);
  book.tick(63_000, 60_000);
  assert.deepEqual(states(book, 63_000), ['projector-a running']);
  book.tick(63_001, 60_000);
  assert.deepEqual(states(book, 63_001), ['projector-a down']);
});

test('not ready counts since the last ready beat, and again after a restart', () => {
  const book = new ProcessBook();
  const failing = { ...BEAT, checks: { journal: true, database: 'away' } };
  book.heard(failing, 4_000);
  assert.equal(book.facts(5_000)[0].notReadyMs, 4_000, 'since its start');
  book.heard(BEAT, 6_000);
  assert.equal(book.facts(6_500)[0].notReadyMs, 0);
  book.heard(failing, 7_000);
  assert.equal(book.facts(8_000)[0].notReadyMs, 2_000);
  book.heard({ ...failing, startedMs: 9_000 }, 9_500);
  assert.equal(book.facts(10_000)[0].notReadyMs, 1_000);
});

test('a process without its own name replaces one that exited on its host', () => {
  const book = new ProcessBook();
  const unnamed = (pid: number) => ({ ...BEAT, instance: `projector-000000${pid}`, pid });
  book.heard(unnamed(10), 10_000);
  book.heard({ ...unnamed(11), host: 'two' }, 10_000);
  book.heard(BEAT, 10_000);
  book.tick(20_000, BUS_UP_MS);
  book.heard(unnamed(12), 20_000);
  assert.deepEqual(states(book, 20_000), [
    'projector-00000011 down',
    'projector-00000012 running',
    'projector-a down',
  ]);
  assert.deepEqual(book.unwritten(20_000).removed, ['projector-00000010']);
});

test('a missing row means a dismissal, unless the process runs or has no row yet', () => {
  const book = new ProcessBook();
  book.heard(BEAT, 10_000);
  book.heard({ ...BEAT, instance: 'running' }, 10_000);
  const { records } = book.unwritten(10_000);
  assert.equal(records.length, 2);
  book.written(records, 10_000);
  assert.equal(book.unwritten(11_000).records.length, 0);
  book.heard({ ...BEAT, instance: 'running' }, 20_000);
  book.tick(20_000, BUS_UP_MS);
  assert.equal(book.unwritten(20_000).records[0].state, 'down', 'a change is written immediately');
  book.dismissed(new Set(['projector-a', 'running']));
  assert.equal(states(book, 20_000).length, 2);
  book.heard({ ...BEAT, instance: 'new' }, 20_000);
  book.dismissed(new Set());
  assert.deepEqual(states(book, 20_000), ['new running', 'running running']);
});

test('a new monitor expects the recorded processes', () => {
  const book = new ProcessBook();
  const record = { ...BEAT, heardMs: 500 };
  book.load(
    [
      { ...record, instance: 'a', state: 'running' },
      { ...record, instance: 'b', state: 'down' },
    ],
    100_000,
  );
  book.tick(102_000, BUS_UP_MS);
  assert.deepEqual(states(book, 102_000), ['a running', 'b down']);
  book.tick(103_001, BUS_UP_MS);
  assert.deepEqual(states(book, 103_001), ['a down', 'b down']);
});
