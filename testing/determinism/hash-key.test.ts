// The host's hash key decides where client order ids lie in memory and nothing else: exchanges
// with different keys give the same events and the same state hash.

import assert from 'node:assert/strict';
import test from 'node:test';
import { applyFrame, createExchange, hashExchange } from '../../core/engine/index.ts';
import { INITIAL_LIMITS } from '../../core/messages/index.ts';
import { chosenSeed, drive, FLOW_NAMES, FLOWS } from '../flows/index.ts';

const FRAMES = 150;

for (const name of FLOW_NAMES) {
  test(`${name}: another hash key, the same events and the same state`, () => {
    const one = createExchange(INITIAL_LIMITS, { low: 1, high: 2 });
    const other = createExchange(INITIAL_LIMITS, { low: 0x5ca1ab1e, high: 0x0ddba11 });
    drive(FLOWS[name](chosenSeed()), FRAMES, (frame) => {
      const events = applyFrame(one, frame);
      assert.deepEqual(applyFrame(other, frame), events);
      return events;
    });
    assert.equal(hashExchange(one), hashExchange(other));
  });
}
