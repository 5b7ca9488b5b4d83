// Operators have a process of their own. For every other one PostgreSQL refuses to write rows of
// their accounts, and a stranger must not learn from the answer whose accounts these are.

import { isRowDenied } from '../../infra/postgres/index.ts';

/** Resolves with `otherwise` if the account is one that only another process may touch. */
export async function unlessOfOtherProcess<Result>(
  work: () => Promise<Result>,
  otherwise: Result,
): Promise<Result> {
  try {
    return await work();
  } catch (fault) {
    if (isRowDenied(fault)) return otherwise;
    throw fault;
  }
}
