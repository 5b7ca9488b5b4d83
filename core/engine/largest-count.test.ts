// The slot with the largest count, compared with a search through all counts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenSeed, Random } from '../../testing/flows/index.ts';
import { LargestCount } from './largest-count.ts';

test('the largest count is found after any changes, and the first of equal ones', () => {
  const seed = chosenSeed();
  const random = new Random(seed);
  for (const slots of [1, 2, 3, 8, 37]) {
    const counts: number[] = new Array(slots + 1).fill(0);
    const tree = new LargestCount(slots);
    for (let step = 0; step < 500; step++) {
      if (step === 250) {
        tree.grow(slots * 3);
        counts.push(...new Array(slots * 2).fill(0));
      }
      const slot = random.below(counts.length);
      counts[slot] = random.below(6);
      tree.set(slot, counts[slot]);
      assert.equal(tree.slot, counts.indexOf(Math.max(...counts)), `seed ${seed}, step ${step}`);
    }
  }
});
