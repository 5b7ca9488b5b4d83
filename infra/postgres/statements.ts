// The part of a connection that most functions need: single statements. A pool provides it, and so
// does a connection inside a transaction.

import type { Connection } from './connections.ts';

export type Statements = Pick<Connection, 'query'>;

/** The driver returns 64-bit integers as strings; the registry's ids are below 2^53. */
export function idOf<Id extends number>(text: string): Id {
  return Number(text) as Id;
}
