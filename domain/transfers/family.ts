// The lock of a family: an account and its sub-accounts. Every transaction that moves or counts
// money of people takes it first, so that two gateways never both see the same free limit.

import type { UserId } from '../../core/money/index.ts';
import { type Connection, idOf } from '../../infra/postgres/index.ts';

export type AccountKind = 'person' | 'sub' | 'virtual' | 'house';

export interface LockedFamily {
  readonly user: UserId;
  /** The user itself, unless it is a sub-account. */
  readonly parent: UserId;
  readonly kind: AccountKind;
}

// The parent of an account never changes, so it can be read before the lock.
const LOCK_PARENT = `
  select id, kind from users
  where id = (select coalesce(parent_id, id) from users where id = $1) for no key update`;
const LOCK_OWN = 'select kind from users where id = $1 for no key update';

/**
 * Locks the parent's row, then the user's own if it is another, until the end of the transaction.
 * Locks of further accounts follow by id, then requests, then the outbox. Undefined if the user
 * does not exist.
 */
export async function lockFamily(
  connection: Connection,
  user: UserId,
): Promise<LockedFamily | undefined> {
  const [locked] = (await connection.query(LOCK_PARENT, [user])).rows;
  if (locked === undefined) return undefined;
  const parent = idOf<UserId>(locked.id);
  if (parent === user) return { user, parent, kind: locked.kind };
  const [own] = (await connection.query(LOCK_OWN, [user])).rows;
  return own && { user, parent, kind: own.kind };
}
