// Under every flow, the engine emits the same events as the reference. The long run with millions
// of commands is in engine-follows-reference.slow.test.ts.

import { test } from 'node:test';
import { chosenSeed, FLOW_NAMES } from '../flows/index.ts';
import { compareExchanges } from './compare.ts';
import { makeEngine, makeReference } from './tested-exchange.ts';

const seed = chosenSeed();
const pair = { left: makeReference, right: makeEngine };

for (const flow of FLOW_NAMES) {
  test(`the engine follows the reference under ${flow}, seed ${seed}`, () => {
    compareExchanges({ flow, seed, commands: 12_000, ...pair, framesPerCheck: 20 });
  });
}

for (const flow of ['adversarial', 'thin-pairs', 'flash-crash'] as const) {
  test(`the engine follows the reference under ${flow} with poison, seed ${seed}`, () => {
    const poison = { framesPerCheck: 20, poisonedOneIn: 80 };
    compareExchanges({ flow, seed, commands: 6_000, ...pair, ...poison });
  });
}
