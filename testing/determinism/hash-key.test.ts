// The host's hash key affects only where client order IDs are stored in memory. Exchanges with
// different keys produce the same events and the same state hash.

import assert from 'node:assert/strict';
import test from 'node:test';
import { applyFrame, createExchange, hashExchange } from '../../core/engine/index.ts';
import { type CommandFrame, type EventFrame, INITIAL_LIMITS } from '../../core/messages/index.ts';
import { chosenSeed, drive, FLOW_NAMES } from '../flows/index.ts';

const COMMANDS = 3_000;

for (const flow of FLOW_NAMES) {
  test(`${flow}: another hash key produces the same events and the same state`, () => {
    const one = createExchange(INITIAL_LIMITS, { low: 1, high: 2 });
    const other = createExchange(INITIAL_LIMITS, { low: 0x5ca1ab1e, high: 0x0ddba11 });
    const apply = (frame: CommandFrame): EventFrame => applyFrame(one, frame);
    let frames = 0;
    for (const { frame, seen } of drive({ flow, seed: chosenSeed(), commands: COMMANDS, apply })) {
      assert.deepEqual(applyFrame(other, frame), seen);
      frames++;
    }
    assert.ok(frames > 10, `only ${frames} frames`);
    assert.equal(hashExchange(one), hashExchange(other));
  });
}
