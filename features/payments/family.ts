// Lock on an account family: an account and its sub-accounts. Every transaction that moves or
// counts users' money takes it first, so two gateways never both see the same free limit.

import type { UserId } from '../../core/money/index.ts';
import { type Connection, idOf, type Statements } from '../../infra/postgres/index.ts';

export type AccountKind = 'person' | 'sub' | 'virtual' | 'house';

export interface LockedFamily {
  readonly user: UserId;
  /** The user's own ID, unless it is a sub-account. */
  readonly parent: UserId;
  readonly kind: AccountKind;
}

// The parent of an account never changes, so it can be read before the lock.
const LOCK_PARENT = `
  select id, kind from users
  where id = (select coalesce(parent_id, id) from users where id = $1) for no key update`;
const LOCK_PARENTS = `
  select id from users
  where id in (select coalesce(parent_id, id) from users where id = any($1::bigint[]))
  order by id for no key update`;
const LOCK_OWN = 'select kind from users where id = $1 for no key update';

/**
 * Locks the parent's row, then the user's own row if it differs, until the transaction ends. Locks
 * on other accounts follow by ID, then requests, then the outbox. Returns undefined if the user
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

/**
 * Locks several users' families: all parents by ID, then the users by ID, so two transfers between
 * the same families cannot deadlock. Returns false if a user does not exist.
 */
export async function lockFamilies(
  connection: Connection,
  users: readonly UserId[],
): Promise<boolean> {
  await connection.query(LOCK_PARENTS, [users]);
  const { rows } = await connection.query(
    'select id from users where id = any($1::bigint[]) order by id for no key update',
    [users],
  );
  return rows.length === new Set(users).size;
}

export async function isSameFamily(
  statements: Statements,
  one: UserId,
  other: UserId,
): Promise<boolean> {
  const { rows } = await statements.query(
    `select count(distinct coalesce(parent_id, id)) = 1 as is_same from users
     where id = any($1::bigint[])`,
    [[one, other]],
  );
  return rows[0].is_same;
}
