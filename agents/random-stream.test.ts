// Random streams: one for each key, the same numbers for the same key, and the distributions named.

import assert from 'node:assert/strict';
import test from 'node:test';
import { RandomStream } from './random-stream.ts';

function draw(random: RandomStream, count = 5): number[] {
  return Array.from({ length: count }, () => random.below(1_000_000));
}

test('a key always produces the same numbers', () => {
  assert.deepEqual(
    draw(new RandomStream(7, 'maker', 'wakes')),
    [762562, 320858, 503539, 845554, 946963],
  );
});

test('another seed, agent or purpose produces other numbers', () => {
  const keys = [
    [7, 'maker', 'wakes'],
    [8, 'maker', 'wakes'],
    [7 + 2 ** 32, 'maker', 'wakes'],
    [7, 'taker', 'wakes'],
    [7, 'maker', 'quotes'],
  ] as const;
  const drawn = keys.map(([seed, agent, purpose]) =>
    draw(new RandomStream(seed, agent, purpose)).join(),
  );
  assert.equal(new Set(drawn).size, keys.length);
});

test('distributions have the expected moments', () => {
  const random = new RandomStream(1, 'test', 'moments');
  const count = 100_000;
  const mean = (next: () => number) => {
    let sum = 0;
    for (let at = 0; at < count; at += 1) sum += next();
    return sum / count;
  };
  const near = (value: number, wanted: number) =>
    assert.ok(Math.abs(value - wanted) < 0.02 * Math.max(wanted, 1), `${value}, not ${wanted}`);
  near(
    mean(() => random.uniform()),
    0.5,
  );
  near(
    mean(() => random.normal()),
    0,
  );
  near(
    mean(() => random.normal() ** 2),
    1,
  );
  near(
    mean(() => random.exponential(3)),
    3,
  );
  near(
    mean(() => Math.log(random.logNormal(0.5)) ** 2),
    0.25,
  );
  near(
    mean(() => (random.pareto(2, 1, 1e9) > 2 ? 1 : 0)),
    0.25,
  );
  assert.equal(Math.max(...Array.from({ length: 100 }, () => random.pareto(0.1, 1, 50))), 50);
});
