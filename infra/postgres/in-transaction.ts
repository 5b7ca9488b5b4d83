// A transaction: everything that the work does, or nothing.

import type { Connection } from './connections.ts';
import { CommitUnknown, isCertainFault } from './faults.ts';

/**
 * Throws CommitUnknown if it may have been committed: the caller checks, for example by its own
 * cursor. A result that `rollBackIf` selects undoes the work and is returned.
 */
export async function inTransaction<Result>(
  connection: Connection,
  work: () => Promise<Result>,
  { rollBackIf = () => false }: { readonly rollBackIf?: (result: Result) => boolean } = {},
): Promise<Result> {
  await connection.query('begin');
  let result: Result;
  try {
    result = await work();
  } catch (fault) {
    // If the connection is lost, the server rolls back.
    await connection.query('rollback').catch(() => {});
    throw fault;
  }
  if (rollBackIf(result)) {
    await connection.query('rollback');
    return result;
  }
  try {
    await connection.query('commit');
  } catch (cause) {
    if (isCertainFault(cause)) throw cause;
    throw new CommitUnknown('the commit was sent, and not answered', { cause });
  }
  return result;
}
