// Price levels compared with sorted arrays: several trees in one store, with thousands of random
// additions and removals, and audits in between.

import assert from 'node:assert/strict';
import test from 'node:test';
import { chosenSeed, Random } from '../../testing/flows/index.ts';
import { NONE } from '../structures/index.ts';
import { Levels } from './levels.ts';

const TREES = 5;
const LEVELS_MAX = 600;

function ranksOf(levels: Levels, tree: number): number[] {
  const ranks: number[] = [];
  for (let level = levels.best(tree); level !== NONE; level = levels.after(level)) {
    ranks.push(levels.rank(level));
  }
  return ranks;
}

const STREAMS: Record<string, (random: Random, turn: number) => number> = {
  'anywhere, below zero too': (random) => random.between(-1_000_000, 1_000_000),
  'from a small range': (random) => random.between(-40, 40),
  rising: (_, turn) => turn,
  falling: (_, turn) => -turn,
};

for (const [name, rankFrom] of Object.entries(STREAMS)) {
  test(`ranks ${name}: each tree lists its ranks in order`, () => {
    const random = new Random(chosenSeed());
    const levels = new Levels(LEVELS_MAX, TREES);
    const models = Array.from({ length: TREES }, () => new Map<number, number>());
    const held = () => models.reduce((sum, model) => sum + model.size, 0);
    for (let turn = 1; turn <= 4_000; turn++) {
      const tree = random.below(TREES);
      const model = models[tree];
      const grows = random.chance(turn % 1_600 < 1_000 ? 75 : 25) && held() < LEVELS_MAX;
      if (grows || model.size === 0) {
        if (held() === LEVELS_MAX) continue;
        const rank = rankFrom(random, turn);
        const level = levels.findOrAdd(tree, rank);
        assert.equal(model.get(rank) ?? level, level, 'a rank has one level');
        assert.deepEqual([levels.rank(level), levels.tree(level)], [rank, tree]);
        assert.deepEqual([levels.first(level), levels.last(level)], [NONE, NONE]);
        model.set(rank, level);
      } else {
        const [rank, level] = random.pick([...model]);
        levels.remove(level);
        model.delete(rank);
      }
      const best = model.size === 0 ? undefined : Math.min(...model.keys());
      const bestLevel = levels.best(tree);
      assert.equal(bestLevel === NONE ? undefined : levels.rank(bestLevel), best);
      if (turn % 20 === 0) levels.audit(tree);
      if (turn % 200 === 0) checkAll(levels, models);
    }
    checkAll(levels, models);
  });
}

function checkAll(levels: Levels, models: readonly Map<number, number>[]): void {
  for (const [tree, model] of models.entries()) {
    levels.audit(tree);
    const sorted = [...model.keys()].sort((one, other) => one - other);
    assert.deepEqual(ranksOf(levels, tree), sorted);
  }
}

test('any level can be removed from a small tree of any shape', () => {
  const random = new Random(chosenSeed());
  for (let size = 1; size <= 12; size++) {
    for (let lost = 0; lost < size; lost++) {
      const levels = new Levels(size, 1);
      const ranks = Array.from({ length: size }, (_, index) => index);
      const shuffled = ranks.map((rank) => ({ rank, key: random.word() }));
      shuffled.sort((one, other) => one.key - other.key);
      for (const { rank } of shuffled) levels.findOrAdd(0, rank);
      levels.remove(levels.findOrAdd(0, lost));
      levels.audit(0);
      assert.deepEqual(
        ranksOf(levels, 0),
        ranks.filter((rank) => rank !== lost),
      );
    }
  }
});

test('slots of removed levels are reused, empty and in any tree', () => {
  const levels = new Levels(8, 2);
  for (let round = 0; round < 20; round++) {
    const tree = round % 2;
    const made = Array.from({ length: 8 }, (_, rank) => levels.findOrAdd(tree, rank * 7));
    assert.deepEqual(
      [...made].sort((one, other) => one - other),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
    for (const level of made) {
      assert.equal(levels.first(level), NONE);
      levels.setFirst(level, 3);
      levels.setLast(level, 3);
    }
    for (const level of made) {
      levels.setFirst(level, NONE);
      levels.remove(level);
    }
    assert.equal(levels.best(tree), NONE);
  }
});

test('a level with orders is not removed', () => {
  const levels = new Levels(2, 1);
  const level = levels.findOrAdd(0, 100);
  levels.setFirst(level, 1);
  assert.throws(() => levels.remove(level), /only an empty level is removed/);
});
