// A transaction: all that the work does, or nothing of it.

import type { Session } from './connections.ts';

/** After a commit that fails, its outcome is unknown: whoever cares asks a cursor of its own. */
export async function inTransaction<Result>(
  session: Session,
  work: () => Promise<Result>,
): Promise<Result> {
  await session.query('begin');
  try {
    const result = await work();
    await session.query('commit');
    return result;
  } catch (fault) {
    // When the connection is gone, the server rolls back by itself.
    await session.query('rollback').catch(() => {});
    throw fault;
  }
}
