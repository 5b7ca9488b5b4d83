// A connection always returns to its pool, and is discarded if the work failed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { withConnection } from './connections.ts';

function poolOfOne() {
  const released: boolean[] = [];
  const release = (isBroken?: Error | boolean) => void released.push(isBroken === true);
  const client = Object.assign(new pg.Client(), { release });
  return { released, pool: { connect: async () => client } };
}

const works: [what: string, work: () => Promise<number>, released: boolean][] = [
  ['work that is done', async () => 7, false],
  ['work that fails', async () => Promise.reject(new Error('no')), true],
  [
    'work that throws before it begins',
    () => {
      throw new Error('no');
    },
    true,
  ],
];

for (const [what, work, isThrownAway] of works) {
  test(`${what} returns its connection`, async () => {
    const { pool, released } = poolOfOne();
    await withConnection(pool, work).catch(() => {});
    assert.deepEqual(released, [isThrownAway]);
  });
}
