// What the registry's functions need of a connection: statements, each by itself. A pool gives
// that, and so does a session inside a transaction.

import type { Connection } from './connections.ts';

export type Statements = Pick<Connection, 'query'>;

/** PostgreSQL gives 64-bit numbers as text; the ids of the registry are below 2^53. */
export function idOf<Id extends number>(text: string): Id {
  return Number(text) as Id;
}
