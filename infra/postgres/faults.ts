// Classifies PostgreSQL's errors: transient ones, which may succeed when retried, and bugs, wrong
// schemas or damage, which need a person.

import pg from 'pg';

/** The schema is not the one this code needs: another release's, or modified. */
export class SchemaFault extends Error {
  override readonly name = 'SchemaFault';
}

/** The server did not respond to a commit: the transaction might be committed or not. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}

/** The server has less than another one had before: a replica was promoted. */
export class ServerBehind extends Error {
  override readonly name = 'ServerBehind';
}

// Classes of SQLSTATE: connection, resources, operator intervention, transaction rollback.
const PASSING_CLASSES = new Set(['08', '53', '57', '40', '58']);
const LOCK_NOT_AVAILABLE = '55P03';
const READ_ONLY = '25006';
/** Raised by a registry trigger: the dispatcher has not compared the registry with the log yet. */
const UNCONFIRMED_REGISTRY = 'RG001';
const QUERY_CANCELED = '57014';
// Errors of the client library, which have no code.
const CONNECTION_LOST =
  /^(?:Connection terminated|timeout e|Client has|Client was|Query read timeout)/i;
// The connection ended, not only the statement: it may have been executed before.
const ENDING_CLASSES = new Set(['08', '57', '58']);

/** Returns whether a retry might succeed. */
export function isPassingFault(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  if (fault instanceof CommitUnknown || fault instanceof ServerBehind) return true;
  if (fault instanceof pg.DatabaseError) {
    const code = fault.code ?? '';
    // A server that became a standby is read-only until clients reach the new primary.
    const passing = [LOCK_NOT_AVAILABLE, READ_ONLY, UNCONFIRMED_REGISTRY];
    return PASSING_CLASSES.has(code.slice(0, 2)) || passing.includes(code);
  }
  if ('syscall' in fault || 'code' in fault) return true;
  return CONNECTION_LOST.test(fault.message);
}

/** Whether the server canceled the statement, as it does at the timeout. */
export function isCanceledStatement(fault: unknown): boolean {
  return fault instanceof pg.DatabaseError && fault.code === QUERY_CANCELED;
}

/** Whether the server itself reported that the statement had no effect. */
export function isCertainFault(fault: unknown): boolean {
  return fault instanceof pg.DatabaseError && !ENDING_CLASSES.has((fault.code ?? '').slice(0, 2));
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** Whether a policy about rows refused the statement: the role may write other rows. */
export function isRowDenied(fault: unknown): boolean {
  return (
    fault instanceof pg.DatabaseError &&
    fault.code === INSUFFICIENT_PRIVILEGE &&
    /row-level security/.test(fault.message)
  );
}
