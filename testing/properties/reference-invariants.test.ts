// The reference preserves its own invariants after every command of every flow.

import { test } from 'node:test';
import { chosenSeed, drive, FLOW_NAMES } from '../flows/index.ts';
import { createReferenceExchange } from '../reference-models/index.ts';

const seed = chosenSeed();

for (const flow of FLOW_NAMES) {
  // The filling flow has thousands of orders and accounts to add up after each command.
  const commands = flow === 'filling' ? 1_000 : 5_000;
  test(`the reference preserves its invariants under ${flow}, seed ${seed}`, () => {
    const { apply } = createReferenceExchange({ isSelfChecking: true });
    for (const _ of drive({ flow, seed, commands, apply }));
  });
}
