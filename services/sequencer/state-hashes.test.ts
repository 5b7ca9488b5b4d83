// Hashes of the state at fixed frames: which are taken and remembered, and that a hash which took
// too long is the last.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { Clock } from '../../infra/process/index.ts';
import type { Replica } from '../../infra/replica/index.ts';
import { StateHashes } from './state-hashes.ts';

/** Stands still, except while a hash is taken. */
class HandClock implements Pick<Clock, 'elapsedMs'> {
  now = 0;

  elapsedMs(): number {
    return this.now;
  }
}

function open({ budgetMs = 20, hashMs = 1 } = {}) {
  const clock = new HandClock();
  const hashes = new StateHashes({ clock: clock as unknown as Clock, everyFrames: 10, budgetMs });
  let taken = 0;
  const pass = (from: number, to: number) => {
    for (let sequence = from; sequence <= to; sequence++) {
      const stateHash = () => {
        taken++;
        clock.now += hashMs;
        return `state ${sequence}`;
      };
      hashes.after({ sequence, stateHash } as unknown as Replica);
    }
  };
  return { hashes, pass, taken: () => taken };
}

test('a hash is taken at every tenth frame, and at no other', () => {
  const { hashes, pass, taken } = open();
  pass(1, 9);
  assert.equal(taken(), 0);
  pass(10, 35);
  assert.equal(taken(), 3);
  assert.deepEqual(hashes.at(20), { sequence: 20, stateHash: 'state 20' });
  for (const sequence of [0, 5, 21, 40]) assert.equal(hashes.at(sequence), undefined);
});

test('the latest up to a frame is the one at or before it', () => {
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

test('the last eight are remembered', () => {
  const { hashes, pass } = open();
  pass(1, 100);
  assert.deepEqual([hashes.at(20), hashes.at(30)?.sequence], [undefined, 30]);
  assert.equal(hashes.latest(29), undefined);
});

test('a hash that took all of its budget is not the last, one that took more is', () => {
  for (const [hashMs, count] of [
    [20, 3],
    [21, 1],
  ]) {
    const { hashes, pass, taken } = open({ budgetMs: 20, hashMs });
    pass(1, 30);
    assert.equal(taken(), count, `${hashMs} ms`);
    assert.equal(hashes.at(10)?.stateHash, 'state 10', 'it counts all the same');
  }
});
