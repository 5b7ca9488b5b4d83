// A reader of many rows returns its connection to the pool exactly once, whatever happens.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { Pool } from '../../../infra/postgres/index.ts';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import { Refused } from '../../../protocol/wire/index.ts';
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
      const count = Math.min(left, Number(text.split(' ')[1]));
      left -= count;
      return { rows: Array.from({ length: count }, (_, at) => ({ at })) };
    },
    release: (isBroken: boolean) => void released.push(isBroken),
  };
  const pool = { connect: async () => client } as Pool;
  const clock = new FakeClock();
  const tryOpen = (who = 'ann') =>
    RowReader.open({
      pool,
      clock,
      who,
      statement: 'select',
      values: [],
      write: (row) => `${row.at}`,
    });
  const open = async (who?: string) => {
    const reader = await tryOpen(who);
    assert.ok(reader instanceof RowReader);
    return reader;
  };
  const refusalOf = async (who: string) => {
    const reader = await tryOpen(who);
    return reader instanceof Refused ? reader.key : 'opened';
  };
  return { open, refusalOf, released, statements, clock, fail: () => (isFailing = true) };
}

test('all rows are read, and the connection can be reused', async () => {
  const { clock, open, released } = world(1_234);
  let count = 0;
  for await (const _row of await open()) count += 1;
  assert.equal(count, 1_234);
  assert.deepEqual(released, [false]);
  assert.equal(clock.pendingCount, 0);
});

test('batches are small, and other requests are served between them', async () => {
  const { open, statements } = world(250);
  for await (const _row of await open());
  const fetches = statements.filter((text) => text.startsWith('fetch'));
  assert.deepEqual(fetches, Array(4).fill('fetch 100 from listed'));
});

test('a reader without rows has released its connection', async () => {
  const { open, released } = world(0);
  const reader = await open();
  assert.equal((await reader.next()).done, true);
  assert.deepEqual(released, [false]);
});

test('abandoning a reader in the middle discards its connection', async () => {
  const { open, released } = world(1_234);
  for await (const _row of await open()) break;
  assert.deepEqual(released, [true]);
});

test('abandoning a reader before the first row discards its connection too', async () => {
  const { open, released } = world(1_234);
  const stream = Readable.from(await open());
  const closed = new Promise((resolve) => stream.once('close', resolve));
  stream.destroy();
  await closed;
  assert.deepEqual(released, [true]);
});

test('a lost connection is discarded, and the reader fails', async () => {
  const { fail, open, released } = world(1_234);
  const reader = await open();
  fail();
  await assert.rejects(async () => {
    for await (const _row of reader);
  }, /lost/);
  assert.deepEqual(released, [true]);
});

test('a slow reader times out, and its partial list never looks complete', async () => {
  const { clock, open, released } = world(1_234);
  const reader = await open();
  clock.advance(120_000);
  assert.deepEqual(released, [true]);
  await assert.rejects(async () => {
    for await (const _row of reader);
  }, /timed out/);
});

test('a caller has at most one open reader', async () => {
  const { open, refusalOf } = world(100_000);
  const first = await open('ann');
  assert.equal(await refusalOf('ann'), 'rate_limit_exceeded');
  const bobs = await open('bob');
  await first.return();
  const again = await open('ann');
  for (const reader of [bobs, again]) await reader.return();
});

test('the number of open readers is limited; the next caller is queued', async () => {
  const { clock, open, refusalOf, released } = world(100_000);
  const readers = [await open('ann'), await open('bob'), await open('carol')];
  const waiting = open('dan');
  await readers[0].return();
  readers.push(await waiting);
  const late = refusalOf('eve');
  clock.advance(10_000);
  assert.equal(await late, 'rate_limit_exceeded');
  for (const reader of readers) await reader.return();
  assert.equal(released.length, 4);
});

test('abuse 75: a caller disconnected as too slow gets no reader for a minute', async () => {
  const { clock, open, refusalOf } = world(100_000);
  const slow = await open('ann');
  slow.blockCaller();
  await slow.return();
  const other = await open('bob');
  clock.advance(59_999);
  assert.equal(await refusalOf('ann'), 'rate_limit_exceeded');
  clock.advance(1);
  const again = await open('ann');
  for (const reader of [other, again]) await reader.return();
});
