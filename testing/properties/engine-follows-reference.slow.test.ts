// Long comparison of engine and reference: a million commands over all flows. Prints each count and
// seed. RIALTO_SEED=n runs it with another seed.

import { test } from 'node:test';
import { chosenSeed, type FlowName } from '../flows/index.ts';
import { type Comparison, compareExchanges } from './compare.ts';
import { makeEngine, makeReference } from './tested-exchange.ts';

const seed = chosenSeed();
const pair = { left: makeReference, right: makeEngine, framesPerCheck: 250 };

const COMMANDS: Record<FlowName, number> = {
  calm: 150_000,
  cancelling: 150_000,
  'flash-crash': 200_000,
  'thin-pairs': 200_000,
  adversarial: 150_000,
  filling: 15_000,
  auctions: 100_000,
};

for (const [flow, commands] of Object.entries(COMMANDS) as [FlowName, number][]) {
  test(`the engine follows the reference for ${commands} commands of ${flow}`, (t) => {
    t.diagnostic(countsOf({ flow, seed, commands, ...pair }));
  });
}

test('the engine follows the reference for 100000 adversarial commands with poison', (t) => {
  const poison = { commands: 100_000, poisonedOneIn: 250 };
  t.diagnostic(countsOf({ flow: 'adversarial', seed, ...pair, ...poison }));
});

function countsOf(comparison: Comparison): string {
  const startMs = performance.now();
  const { flow, commands, frames, events, trades } = compareExchanges(comparison);
  const seconds = (performance.now() - startMs) / 1_000;
  const perSecond = Math.round(commands / seconds);
  const counted = `${commands} commands, ${frames} frames, ${events} events, ${trades} trades`;
  return `${flow}, seed ${seed}: ${counted}, ${perSecond} commands/s of both`;
}
