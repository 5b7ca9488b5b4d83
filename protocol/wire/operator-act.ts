// The parts that acts of operators have in common.

import { NO_QUERY } from './route.ts';
import { WEIGHT_HEAVY } from './weights.ts';

/** Only in a login session: a key does not act in person. */
export const person = { who: 'operator', scope: 'any', sessions: true, personOnly: true } as const;

/** A route spreads it and overrides what differs. */
export const act = {
  tag: 'operator',
  effect: 'write',
  weight: WEIGHT_HEAVY,
  query: NO_QUERY,
  status: 200,
} as const;
