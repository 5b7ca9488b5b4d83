// Switch `accounts`: freezes users, a group or a tier in one statement, and unfreezes exactly
// those. Sessions and keys are kept for the resume; a frozen account cannot use them. Never freezes
// operators or house accounts.

import type { UserId } from '../../../core/money/index.ts';
import { type Connection, idOf, type Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { AccountSet } from './switch-target.ts';

/** More would lock too many users; `logins` and `writes` stop all users together. */
export const ACCOUNTS_MAX = 100_000;

/** Accounts of a set: $1 is the ID of a user, a group or a tier. */
export function membersOf(kind: AccountSet['kind']): string {
  const where = {
    users: 'u.id = $1',
    tier: 'u.verification_level = $1',
    group: `u.id in (
      select s.user_id from engine_user_settings s where s.group_id = $1 and s.group_id <> 0)`,
  };
  return `from users u where ${where[kind]} and u.role is null and u.kind <> 'house'
    and not exists (select from users p where p.id = u.parent_id and p.role is not null)`;
}

/** `refuseOdd` must have accepted the set. Returns the accounts newly frozen by the switch. */
export async function freezeAccounts(
  connection: Connection,
  set: AccountSet,
  nowMs: number,
): Promise<UserId[]> {
  // An account frozen by two switches is unfrozen only when both resume.
  const { rows } = await connection.query(
    `with members as (
       select u.id, u.state, u.state_since ${membersOf(set.kind)}
         and (u.state in ('active', 'closing') or u.state = 'frozen' and exists (
           select from stopped_accounts a where a.user_id = u.id and a.frozen_at = u.state_since))
       order by u.id for no key update of u
     ),
     frozen as (
       update users u set state = 'frozen', state_since = $3, updated_at = now()
       from members m where u.id = m.id and m.state <> 'frozen'
     )
     insert into stopped_accounts (object, user_id, previous_state, previous_since, frozen_at)
     select $2, m.id, coalesce(a.previous_state, m.state),
       coalesce(a.previous_since, m.state_since), coalesce(a.frozen_at, $3)
     from members m left join lateral (
       select * from stopped_accounts a
       where a.user_id = m.id and m.state = 'frozen' and a.frozen_at = m.state_since limit 1
     ) a on true
     on conflict (object, user_id) do update set previous_state = excluded.previous_state,
       previous_since = excluded.previous_since, frozen_at = excluded.frozen_at
       where stopped_accounts.frozen_at <> excluded.frozen_at
     returning user_id`,
    [set.id, set.object, new Date(nowMs)],
  );
  return rows.map(({ user_id }) => idOf<UserId>(user_id));
}

/**
 * Unfreezes accounts of the stops that were not frozen, unfrozen or closed otherwise in the
 * meantime.
 */
export async function unfreezeAccounts(
  connection: Connection,
  objects: readonly string[],
  nowMs: number,
): Promise<UserId[]> {
  const { rows } = await connection.query(
    `with held as (delete from stopped_accounts where object = any($1) returning *),
     free as (
       select distinct on (user_id) * from held h
       where not exists (
         select from stopped_accounts a where a.user_id = h.user_id and a.frozen_at = h.frozen_at
           and a.object <> all($1))
     )
     update users u set state = f.previous_state, updated_at = now(),
       state_since = case when f.previous_state = 'active' then $2 else f.previous_since end
     from free f where u.id = f.user_id and u.state = 'frozen' and u.state_since = f.frozen_at
     returning u.id`,
    [objects, new Date(nowMs)],
  );
  return rows.map(({ id }) => idOf<UserId>(id));
}

/** Returns the accounts frozen by these stops. */
export async function readHeldAccounts(
  statements: Statements,
  objects: readonly string[],
): Promise<UserId[]> {
  const { rows } = await statements.query(
    'select distinct user_id from stopped_accounts where object = any($1) order by user_id',
    [objects],
  );
  return rows.map(({ user_id }) => idOf<UserId>(user_id));
}

/** Rejects an unknown user, an operator, or too many accounts. */
export async function refuseOdd(statements: Statements, sets: readonly AccountSet[]) {
  for (const { id, kind, object } of sets) {
    const { rows } = await statements.query(
      `select count(*)::int as accounts from (select ${membersOf(kind)} limit $2) counted`,
      [id, ACCOUNTS_MAX + 1],
    );
    const [{ accounts }] = rows;
    if (accounts > ACCOUNTS_MAX) return new Refused('switch_too_wide', { max: ACCOUNTS_MAX });
    if (accounts === 0) return new Refused('switch_without_accounts', { object });
  }
  return undefined;
}
