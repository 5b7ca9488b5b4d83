// Account closing: closing ──14 days──▶ closed ──retention──▶ erased. A deposit that arrives before
// the account is erased reactivates it, because its owner must reach the money.

import type { UserId } from '../../core/money/index.ts';
import { idOf, type Statements } from '../../infra/postgres/index.ts';

export const CLOSING_MS = 14 * 86_400_000;

/** Call it in a transaction that has locked the user and found the account empty. */
export async function startClosing(statements: Statements, user: UserId): Promise<void> {
  await statements.query(
    `update users set state = 'closing', state_since = now(), updated_at = now() where id = $1`,
    [user],
  );
}

/** Whether the user has a sub-account that has not ended. */
export async function hasSubAccounts(statements: Statements, user: UserId): Promise<boolean> {
  const { rows } = await statements.query(
    `select from users where parent_id = $1 and state not in ('closed', 'erased') limit 1`,
    [user],
  );
  return rows.length > 0;
}

/**
 * Reopens closing accounts that received money, and the parents of such sub-accounts, who alone can
 * enter them. Returns the reactivated accounts.
 */
export async function reopenAccounts(
  statements: Statements,
  users: readonly UserId[],
): Promise<UserId[]> {
  const { rows } = await statements.query(
    `update users set state = 'active', state_since = now(), updated_at = now()
     where id in (
       select id from users
       where (id = any($1::bigint[])
           or id in (select parent_id from users where id = any($1::bigint[])))
         and state in ('closing', 'closed')
       order by id for no key update)
     returning id`,
    [users],
  );
  return rows.map(({ id }) => idOf<UserId>(id));
}

/** Closes accounts after their 14 days, at most `limit`. Returns the number. */
export async function closeDueAccounts(
  statements: Statements,
  { limit, nowMs }: { readonly nowMs: number; readonly limit: number },
): Promise<number> {
  const { rowCount } = await statements.query(
    `update users set state = 'closed', state_since = now(), updated_at = now()
     where id in (
       select id from users where state = 'closing' and state_since <= to_timestamp($1 / 1000.0)
       order by state_since limit $2 for no key update skip locked)`,
    [nowMs - CLOSING_MS, limit],
  );
  return rowCount ?? 0;
}
