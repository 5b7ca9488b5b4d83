// Alarms open immediately, close after a while, and are recorded even if the database fails.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Alarm } from '../../features/health/index.ts';
import { AlarmBook } from './alarm-book.ts';

const DOWN: Alarm = { name: 'ServiceDown', object: 'a', severity: 'page', detail: 'silent' };
const OLD: Alarm = { name: 'BackupOld', object: '', severity: 'ticket', detail: 'old' };

function names(book: AlarmBook): string[] {
  return book.open.map(({ name, openedMs }) => `${name} ${openedMs}`);
}

test('a flickering alarm stays open, with its first time', () => {
  const book = new AlarmBook();
  assert.equal(book.update([OLD], 1_000), true);
  assert.equal(book.update([OLD, DOWN], 2_000), true);
  assert.equal(book.update([OLD, DOWN], 3_000), false);
  assert.deepEqual(names(book), ['ServiceDown 2000', 'BackupOld 1000'], 'pages first');
  assert.equal(book.update([OLD], 4_000), false);
  assert.equal(book.update([OLD, DOWN], 5_000), false);
  assert.equal(book.update([OLD], 9_999), false);
  assert.equal(book.update([OLD], 10_000), true);
  assert.deepEqual(names(book), ['BackupOld 1000']);
});

test('a changed severity is published and written again', () => {
  const book = new AlarmBook();
  book.update([OLD], 1_000);
  book.recorded(book.unrecorded);
  assert.equal(book.unrecorded.length, 0);
  assert.equal(book.update([{ ...OLD, severity: 'page' }], 2_000), true);
  assert.deepEqual(
    book.unrecorded.map(({ openedMs, severity }) => [severity, openedMs]),
    [['page', 1_000]],
  );
});

test('openings and closings during a database outage are written later', () => {
  const book = new AlarmBook();
  book.update([DOWN], 1_000);
  book.update([], 6_000);
  book.update([DOWN], 7_000);
  const found = book.unrecorded.map(({ closedMs, openedMs }) => [openedMs, closedMs]);
  assert.deepEqual(found, [
    [1_000, 6_000],
    [7_000, undefined],
  ]);
  const written = book.unrecorded;
  book.update([], 12_000);
  book.recorded(written);
  assert.deepEqual(
    book.unrecorded.map(({ closedMs, openedMs }) => [openedMs, closedMs]),
    [[7_000, 12_000]],
    'closed while it was written',
  );
});

test('a monitor that takes over keeps the recorded times and closes ended alarms', () => {
  const book = new AlarmBook();
  book.update([DOWN], 5_000);
  const before = { ...DOWN, openedMs: 1_000, closedMs: undefined };
  const gone = { ...OLD, openedMs: 2_000, closedMs: undefined };
  book.adopt([before, gone], 9_000);
  assert.deepEqual(names(book), ['ServiceDown 1000']);
  assert.deepEqual(
    book.unrecorded.map(({ closedMs, name }) => [name, closedMs]),
    [['BackupOld', 9_000]],
  );
});
