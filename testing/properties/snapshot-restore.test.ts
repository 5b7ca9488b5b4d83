// An engine restored from a snapshot at any frame continues exactly as if it had never stopped: the
// same events, the same state hash, and the same bytes in the next snapshot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chosenSeed, FLOW_NAMES, type FlowName, recordFrames } from '../flows/index.ts';
import { differenceOfFrames } from './difference.ts';
import { makeEngine, restoreEngine } from './tested-exchange.ts';

const RUNS_PER_FLOW = 5;
const COMMANDS = 2_500;

for (const flow of FLOW_NAMES) {
  test(`a restored engine continues like the one that wrote the snapshot, under ${flow}`, () => {
    const anySeed = fc.nat();
    const anyPlace = fc.double({ min: 0, max: 1, noNaN: true });
    const property = fc.property(anySeed, anyPlace, (seed, place) =>
      continueAfterRestore(flow, seed, place),
    );
    // The filling flow takes long to reach its limits.
    const numRuns = flow === 'filling' ? 1 : RUNS_PER_FLOW;
    fc.assert(property, { numRuns, seed: chosenSeed() % 2 ** 31, endOnFailure: true });
  });
}

function continueAfterRestore(flow: FlowName, seed: number, place: number): void {
  const commands = flow === 'filling' ? 11_000 : COMMANDS;
  const frames = recordFrames({ flow, seed, commands, apply: makeEngine().apply });
  const straight = makeEngine();
  const stop = Math.floor(place * frames.length);
  for (const frame of frames.slice(0, stop)) straight.apply(frame);

  const snapshot = straight.snapshot();
  const restored = restoreEngine(snapshot);
  assert.deepEqual(restored.snapshot(), snapshot);
  assert.equal(restored.hash(), straight.hash());
  for (const frame of frames.slice(stop)) {
    const difference = differenceOfFrames(straight.apply(frame), restored.apply(frame));
    assert.equal(difference, undefined, `frame ${frame.sequence} differs after a restore`);
  }
  restored.audit();
  assert.equal(restored.hash(), straight.hash());
  assert.deepEqual(restored.snapshot(), straight.snapshot());
}
