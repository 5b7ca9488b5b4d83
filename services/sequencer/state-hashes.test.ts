// State hashes at fixed frames: which are taken and remembered, and that a hash that exceeds its
// budget is the last.

import assert from 'node:assert/strict';
import test from 'node:test';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import { StateHashes } from './state-hashes.ts';

function open({ budgetMs = 20, hashMs = 1 } = {}) {
  const clock = new FakeClock();
  const hashes = new StateHashes({ clock, everyFrames: 10, budgetMs });
  let taken = 0;
  const pass = (from: number, to: number) => {
    for (let sequence = from; sequence <= to; sequence++) {
      const stateHash = () => {
        taken++;
        clock.advance(hashMs);
        return `state ${sequence}`;
      };
      hashes.after({ sequence, stateSize: 0, stateHash });
    }
  };
  return { hashes, pass, taken: () => taken };
}

test('a hash is taken at every tenth frame and at no other', () => {
  const { hashes, pass, taken } = open();
  pass(1, 9);
  assert.equal(taken(), 0);
  pass(10, 35);
  assert.equal(taken(), 3);
  assert.deepEqual(hashes.at(20), { sequence: 20, stateHash: 'state 20' });
  for (const sequence of [0, 5, 21, 40]) assert.equal(hashes.at(sequence), undefined);
});

test('latest() returns the hash at or before a frame', () => {
  const { hashes, pass } = open();
  pass(1, 35);
  const cases: [atMost: number, found: number | undefined][] = [
    [9, undefined],
    [10, 10],
    [29, 20],
    [30, 30],
    [1_000, 30],
  ];
  for (const [atMost, found] of cases) assert.equal(hashes.latest(atMost)?.sequence, found);
});

test('the last eight hashes are remembered', () => {
  const { hashes, pass } = open();
  pass(1, 100);
  assert.deepEqual([hashes.at(20), hashes.at(30)?.sequence], [undefined, 30]);
  assert.equal(hashes.latest(29), undefined);
});

test('hashing ends after a hash that exceeds its budget, not after one that uses it up', () => {
  for (const [hashMs, count] of [
    [20, 3],
    [21, 1],
  ]) {
    const { hashes, pass, taken } = open({ budgetMs: 20, hashMs });
    pass(1, 30);
    assert.equal(taken(), count, `${hashMs} ms`);
    assert.equal(hashes.at(10)?.stateHash, 'state 10', 'the slow hash is still valid');
  }
});
