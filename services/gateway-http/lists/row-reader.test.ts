// A reader of many rows: whatever happens, its connection goes back to the pool, once.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Pool } from '../../../infra/postgres/index.ts';
import type { Clock } from '../../../infra/process/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import { RowReader } from './row-reader.ts';

function world(rowCount: number) {
  const released: boolean[] = [];
  const statements: string[] = [];
  let left = rowCount;
  let isFailing = false;
  const client = {
    async query(text: string) {
      statements.push(text);
      if (isFailing) throw new Error('lost');
      if (!text.startsWith('fetch')) return { rows: [] };
      const count = Math.min(left, 500);
      left -= count;
      return { rows: Array.from({ length: count }, (_, at) => ({ at })) };
    },
    release: (isBroken: boolean) => void released.push(isBroken),
  };
  const pool = { connect: async () => client } as unknown as Pool;
  const timers = new Set<() => void>();
  const clock = {
    after(_ms: number, task: () => void) {
      timers.add(task);
      return { cancel: () => timers.delete(task) };
    },
  } as unknown as Clock;
  const open = (who = 'ann') =>
    RowReader.open({
      pool,
      clock,
      who,
      statement: 'select',
      values: [],
      write: (row) => `${row.at}`,
    });
  return { open, released, statements, timers, fail: () => (isFailing = true) };
}

test('all rows are read, and the connection is as good as new', async () => {
  const { open, released, timers } = world(1_234);
  let count = 0;
  for await (const _row of await open()) count += 1;
  assert.equal(count, 1_234);
  assert.deepEqual(released, [false]);
  assert.equal(timers.size, 0);
});

test('one without rows is empty, and has given back what it held', async () => {
  const { open, released } = world(0);
  const reader = await open();
  assert.equal(reader.isEmpty, true);
  assert.deepEqual(released, [false]);
});

test('who hangs up in the middle leaves a connection that is thrown away', async () => {
  const { open, released } = world(1_234);
  for await (const _row of await open()) break;
  assert.deepEqual(released, [true]);
});

test('who hangs up before the first row leaves none behind either', async () => {
  const { open, released } = world(1_234);
  const stream = Readable.from(await open());
  const closed = new Promise((resolve) => stream.once('close', resolve));
  stream.destroy();
  await closed;
  assert.deepEqual(released, [true]);
});

test('a connection that is lost meanwhile is thrown away, and the reader is told', async () => {
  const { fail, open, released } = world(1_234);
  const reader = await open();
  fail();
  await assert.rejects(async () => {
    for await (const _row of reader);
  }, /lost/);
  assert.deepEqual(released, [true]);
});

test('who reads too slowly is cut off, and what he has never looks like the whole', async () => {
  const { open, released, timers } = world(1_234);
  const reader = await open();
  for (const task of timers) task();
  assert.deepEqual(released, [true]);
  await assert.rejects(async () => {
    for await (const _row of reader);
  }, /not read within/);
});

test('one caller has one of them open at a time', async () => {
  const { open } = world(100_000);
  const first = await open('ann');
  await assert.rejects(
    open('ann'),
    (fault) => fault instanceof ApiRefusal && fault.key === 'rate_limit_exceeded',
  );
  const bobs = await open('bob');
  await first.return();
  const again = await open('ann');
  for (const reader of [bobs, again]) await reader.return();
});

test('only some may be open at a time; the next is asked to come again', async () => {
  const { open, released } = world(100_000);
  const readers = [await open('ann'), await open('bob'), await open('carol')];
  await assert.rejects(
    open('dan'),
    (fault) => fault instanceof ApiRefusal && fault.key === 'rate_limit_exceeded',
  );
  await readers[0].return();
  readers.push(await open('dan'));
  for (const reader of readers) await reader.return();
  assert.equal(released.length, 4);
});
