// A connection always returns to its pool, and is discarded if the work failed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Pool, withConnection } from './connections.ts';

function poolOfOne() {
  const released: boolean[] = [];
  const client = { release: (isBroken: boolean) => void released.push(isBroken) };
  return { released, pool: { connect: async () => client } as unknown as Pool };
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
