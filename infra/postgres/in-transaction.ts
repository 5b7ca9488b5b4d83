// A transaction: all that the work does, or nothing of it.

import type { Connection } from './connections.ts';
import { CommitUnknown, isCertainFault } from './faults.ts';

/** Throws CommitUnknown when it may have been committed: whoever cares asks a cursor of its own. */
export async function inTransaction<Result>(
  connection: Connection,
  work: () => Promise<Result>,
): Promise<Result> {
  await connection.query('begin');
  let result: Result;
  try {
    result = await work();
  } catch (fault) {
    // When the connection is gone, the server rolls back by itself.
    await connection.query('rollback').catch(() => {});
    throw fault;
  }
  try {
    await connection.query('commit');
  } catch (cause) {
    if (isCertainFault(cause)) throw cause;
    throw new CommitUnknown('the commit was sent, and not answered', { cause });
  }
  return result;
}
