// What PostgreSQL may answer, told apart: what passes when it is tried again later, and what is a
// bug, a wrong schema or damage and must be looked at.

import pg from 'pg';

/** The database is not as the code needs it: another release's schema, or one that was changed. */
export class SchemaFault extends Error {
  override readonly name = 'SchemaFault';
}

/** The server was asked to commit and did not answer: what the transaction did may stand or not. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}

// Classes of SQLSTATE: connection, resources, operator's intervention, a rolled back transaction.
const PASSING_CLASSES = new Set(['08', '53', '57', '40', '58']);
const LOCK_NOT_AVAILABLE = '55P03';
const READ_ONLY = '25006';
// What the client says by itself, without a code.
const CONNECTION_LOST =
  /^(?:Connection terminated|timeout e|Client has|Client was|Query read timeout)/i;
// The end of a connection, not of a statement: what was under way may have been done before.
const ENDING_CLASSES = new Set(['08', '57', '58']);

/** Whether it may be well when it is tried again. */
export function isPassingFault(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  if (fault instanceof CommitUnknown) return true;
  if (fault instanceof pg.DatabaseError) {
    const code = fault.code ?? '';
    // A server that has been made a standby is read only until it is reached at its new place.
    return PASSING_CLASSES.has(code.slice(0, 2)) || [LOCK_NOT_AVAILABLE, READ_ONLY].includes(code);
  }
  if ('syscall' in fault || 'code' in fault) return true;
  return CONNECTION_LOST.test(fault.message);
}

/** Whether the server itself has said that nothing of the statement stands. */
export function isCertainFault(fault: unknown): boolean {
  return fault instanceof pg.DatabaseError && !ENDING_CLASSES.has((fault.code ?? '').slice(0, 2));
}
