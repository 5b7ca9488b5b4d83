// A connection goes back to its pool whatever happens, and is thrown away when something went
// wrong.

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
  test(`${what} gives its connection back`, async () => {
    const { pool, released } = poolOfOne();
    await withConnection(pool, work).catch(() => {});
    assert.deepEqual(released, [isThrownAway]);
  });
}
