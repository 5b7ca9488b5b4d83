// Every flow by its name, and their initial seed.

import { adversarial } from './adversarial.ts';
import { auctions } from './auctions.ts';
import { calm } from './calm.ts';
import { cancelling } from './cancelling.ts';
import { filling } from './filling.ts';
import { flashCrash } from './flash-crash.ts';
import type { Flow } from './flow-sender.ts';
import { thinPairs } from './thin-pairs.ts';

export const FLOWS = {
  calm,
  cancelling,
  'flash-crash': flashCrash,
  'thin-pairs': thinPairs,
  adversarial,
  filling,
  auctions,
} satisfies Record<string, (seed: number) => Flow>;

export type FlowName = keyof typeof FLOWS;

export const FLOW_NAMES = Object.keys(FLOWS) as FlowName[];

/** Returns RIALTO_SEED, or a constant seed. */
export function chosenSeed(): number {
  const given = process.env.RIALTO_SEED;
  if (given === undefined || given === '') return 20_260_101;
  const seed = Number(given);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`RIALTO_SEED is ${given}`);
  return seed;
}
