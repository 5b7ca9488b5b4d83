// Creates, lists and removes sub-accounts, each under the family lock. All members of a family with
// money are in one group of the engine, so a family never trades with itself.

import type { UserId } from '../../core/money/index.ts';
import {
  type Connection,
  idOf,
  inTransaction,
  type Statements,
} from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { createSubUser } from '../accounts/index.ts';
import { applySecurityChange } from '../auth/index.ts';
import { type Circumstances, enqueueMail } from '../messages/index.ts';
import { lockFamily } from '../payments/index.ts';

export interface SubAccountRow {
  readonly id: UserId;
  readonly email: string;
  readonly username: string;
  readonly label: string;
  readonly color: string | null;
  readonly isVirtual: boolean;
  readonly verificationLevel: number;
  readonly createdAt: Date;
}

export interface NewSubAccount {
  readonly parent: UserId;
  readonly label: string;
  readonly color: string | null;
  readonly isVirtual: boolean;
  /** For the email to the parent. */
  readonly circumstances: Circumstances;
}

export const SUB_ACCOUNTS_MAX = 50;
/** Removed ones stay as rows, because their money has a history. */
export const SUB_ACCOUNTS_EVER_MAX = 500;

const SUB_ACCOUNT = `
  select u.id, u.email, u.username, u.kind, u.verification_level, s.label, s.color, s.created_at
  from users u join sub_accounts s on s.user_id = u.id
  where u.parent_id = $1 and u.state = 'active'`;

/** Returns those in use, oldest first; at most SUB_ACCOUNTS_MAX. */
export async function listSubAccounts(
  statements: Statements,
  parent: UserId,
): Promise<SubAccountRow[]> {
  const { rows } = await statements.query(`${SUB_ACCOUNT} order by u.id`, [parent]);
  return rows.map(subAccountOf);
}

/** The first transfer announces it to the engine. */
export function createSubAccount(
  connection: Connection,
  vault: Vault,
  { circumstances, color, isVirtual, label, parent }: NewSubAccount,
) {
  return inTransaction(connection, async () => {
    const holder = await lockParent(connection, parent);
    // The caller is a sub-account, or its account is not active.
    if (holder === undefined) return new Refused('sub_account_not_allowed');
    const { rows } = await connection.query(
      `select count(*) as ever, count(*) filter (where u.state = 'active') as live,
         count(*) filter (where lower(s.label) = lower($2)) as alike
       from users u left join sub_accounts s on s.user_id = u.id where u.parent_id = $1`,
      [parent, label],
    );
    const [alike, ever, live] = [rows[0].alike, rows[0].ever, rows[0].live].map(Number);
    if (live >= SUB_ACCOUNTS_MAX) {
      return new Refused('sub_accounts_too_many', { max: SUB_ACCOUNTS_MAX });
    }
    if (ever >= SUB_ACCOUNTS_EVER_MAX) {
      return new Refused('sub_accounts_ever_too_many', { max: SUB_ACCOUNTS_EVER_MAX });
    }
    if (alike > 0) return new Refused('sub_account_label_taken');
    const user = await createSubUser(connection, { parent, kind: isVirtual ? 'virtual' : 'sub' });
    await connection.query(
      'insert into sub_accounts (user_id, parent_id, label, color) values ($1, $2, $3, $4)',
      [user, parent, label, color],
    );
    await enqueueMail(connection, vault, {
      user: parent,
      to: holder.email,
      language: holder.language,
      kind: 'sub_account_created',
      values: { ...circumstances, label },
    });
    const created = await connection.query(`${SUB_ACCOUNT} and u.id = $2`, [parent, user]);
    return subAccountOf(created.rows[0]);
  });
}

/** Whether the engine has the group of all these users. */
export async function hasEngineSettings(
  statements: Statements,
  users: readonly UserId[],
): Promise<boolean> {
  const { rows } = await statements.query(
    `select count(*) as known from engine_user_settings
     where user_id = any($1::bigint[]) and group_id <> 0 and sent_version = version`,
    [users],
  );
  return Number(rows[0].known) === users.length;
}

export interface Removal {
  readonly parent: UserId;
  readonly sub: UserId;
  /**
   * Returns what is in the account: transfers in progress, balances, orders. The family is locked
   * during the call, and the result must include everything that happened before it.
   */
  findContent(statements: Statements): Promise<readonly string[] | Refused<'tables_behind'>>;
}

/** Announce the end of the sub-account's sessions and keys after the commit. */
export function removeSubAccount(connection: Connection, { findContent, parent, sub }: Removal) {
  return inTransaction(connection, async () => {
    if (!(await lockOwnSub(connection, { parent, sub }))) {
      return new Refused('sub_account_not_found');
    }
    const content = await findContent(connection);
    if (content instanceof Refused) return content;
    if (content.length > 0) {
      return new Refused('sub_account_not_empty', { detail: content.join(', ') });
    }
    await connection.query(
      `update users set state = 'closed', state_since = now(), updated_at = now() where id = $1`,
      [sub],
    );
    // The label is free again. If money still arrives, the account becomes active again and is
    // listed.
    await connection.query(
      `update sub_accounts set label = left(label, 40) || ' (' || user_id || ')'
       where user_id = $1`,
      [sub],
    );
    const reason = 'sub_account_removed';
    await applySecurityChange(connection, { user: sub, reason, holdMs: 0, suspendsKeys: true });
    await connection.query(
      'update api_keys set revoked = true where user_id = $1 and not revoked',
      [sub],
    );
    return undefined;
  });
}

/**
 * Returns false unless it is an active sub-account of this parent. Another user's looks like an
 * unknown one.
 */
export async function lockOwnSub(
  connection: Connection,
  { parent, sub }: { readonly parent: UserId; readonly sub: UserId },
): Promise<boolean> {
  const own = 'select state from users where id = $1 and parent_id = $2';
  // Only its own family waits for the lock.
  if ((await connection.query(own, [sub, parent])).rows.length === 0) return false;
  await lockFamily(connection, sub);
  const { rows } = await connection.query(own, [sub, parent]);
  return rows[0]?.state === 'active';
}

interface LockedParent {
  readonly email: string;
  readonly language: string;
}

/** Returns undefined unless the account belongs to an active user. */
async function lockParent(
  connection: Connection,
  parent: UserId,
): Promise<LockedParent | undefined> {
  const family = await lockFamily(connection, parent);
  if (family?.kind !== 'person') return undefined;
  const { rows } = await connection.query(
    `select u.email, coalesce(u.settings ->> 'language', 'en') as language
     from users u where u.id = $1 and u.state = 'active'`,
    [parent],
  );
  return rows.map(({ email, language }) => ({ email, language }))[0];
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function subAccountOf(row: any): SubAccountRow {
  return {
    id: idOf(row.id),
    email: row.email,
    username: row.username,
    label: row.label,
    color: row.color,
    isVirtual: row.kind === 'virtual',
    verificationLevel: Number(row.verification_level),
    createdAt: row.created_at,
  };
}
