// Tests which hashes are computed and remembered, and which frames they cover.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Replica } from '../../infra/replica/index.ts';
import { StateHashes } from './state-hashes.ts';

const SETTINGS = { everyFrames: 10, runFrames: 40 };

/** Passes frames over a state that does not change. */
function open() {
  const hashes = new StateHashes(SETTINGS);
  const { exchange } = Replica.create();
  const pass = (from: number, to: number) => {
    for (let sequence = from; sequence <= to; sequence++) {
      exchange.sequence = sequence;
      hashes.after({ exchange, sequence });
    }
  };
  return { exchange, hashes, pass };
}

test('a hash is taken at every tenth frame and no other', () => {
  const { hashes, pass } = open();
  pass(1, 35);
  for (const sequence of [10, 20, 30]) assert.equal(hashes.at(sequence)?.sequence, sequence);
  for (const sequence of [0, 5, 21, 35, 40]) assert.equal(hashes.at(sequence), undefined);
});

test('latest() returns the hash at or before a frame', () => {
  const { hashes, pass } = open();
  pass(1, 35);
  const cases = [
    [9, undefined],
    [10, 10],
    [29, 20],
    [99, 30],
  ] as const;
  for (const [atMost, found] of cases) assert.equal(hashes.latest(atMost)?.sequence, found);
});

test('a replica that joins during a run takes its first hash in the next run', () => {
  const [whole, joined] = [open(), open()];
  whole.pass(1, 60);
  joined.pass(15, 60);
  for (const sequence of [20, 30, 40]) assert.equal(joined.hashes.at(sequence), undefined);
  for (const sequence of [50, 60]) {
    assert.ok(joined.hashes.at(sequence) !== undefined);
    assert.deepEqual(joined.hashes.at(sequence), whole.hashes.at(sequence));
  }
});

test('a difference stays in the hash until the run ends', () => {
  const [whole, spoilt] = [open(), open()];
  whole.pass(1, 60);
  spoilt.pass(1, 12);
  spoilt.exchange.tradesExecuted = 1;
  spoilt.pass(13, 13);
  spoilt.exchange.tradesExecuted = 0;
  spoilt.pass(14, 60);
  const isEqual = (sequence: number) =>
    whole.hashes.at(sequence)?.stateHash === spoilt.hashes.at(sequence)?.stateHash;
  assert.deepEqual([10, 20, 40, 50].map(isEqual), [true, false, false, true]);
});

test('the last 1,024 hashes are remembered', () => {
  const { hashes, pass } = open();
  pass(1, 10_260);
  assert.deepEqual([hashes.at(20), hashes.at(30)?.sequence], [undefined, 30]);
});
