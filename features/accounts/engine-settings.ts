// User settings that the engine needs: group, fee tier, discount. Rows are written in the
// transaction of their cause; the dispatcher sends every unsent version. The engine treats a user
// without a row as tier 1, without discount and group, which is the default of a new user. The tier
// must not be set here: a trigger on users.verification_level maintains it.

import type { Ppm, UserId } from '../../core/money/index.ts';
import { idOf, type Statements } from '../../infra/postgres/index.ts';

/** An omitted field keeps its value, or gets the engine's default. */
export interface EngineSettings {
  readonly user: UserId;
  /** Users in one group never trade with each other; 0 for none. */
  readonly group?: number;
  /** Reduces both fee rates; 1,000,000 means no fees. */
  readonly discountPpm?: number;
  /** The operator's own account. */
  readonly isHouse?: boolean;
}

export interface UnsentSettings {
  readonly user: UserId;
  readonly group: number;
  readonly isHouse: boolean;
  readonly tier: number;
  readonly discountPpm: Ppm;
  readonly version: number;
}

const SET = `
  insert into engine_user_settings as s (user_id, tier, group_id, is_house, discount_ppm)
  select id, verification_level, coalesce($2, 0), coalesce($3, false), coalesce($4, 0)
  from users where id = $1
  on conflict (user_id) do update
  set group_id = coalesce($2, s.group_id), is_house = coalesce($3, s.is_house),
    discount_ppm = coalesce($4, s.discount_ppm), version = s.version + 1
  where (coalesce($2, s.group_id), coalesce($3, s.is_house), coalesce($4, s.discount_ppm))
    <> (s.group_id, s.is_house, s.discount_ppm)
  returning user_id`;

/**
 * Returns true if something changed; then wake the dispatcher after the commit. Throws if the
 * discount is not between 0 and 1,000,000. Locks the row until the transaction ends.
 */
export async function setEngineSettings(
  statements: Statements,
  { discountPpm, group, isHouse, user }: EngineSettings,
): Promise<boolean> {
  const values = [user, group ?? null, isHouse ?? null, discountPpm ?? null];
  return (await statements.query(SET, values)).rows.length > 0;
}

/**
 * Puts sub-accounts among the users into their family's group, with their parent, so a family never
 * trades with itself. The engine keeps every user it has seen, so this happens when a sub-account
 * gets its first money. Wake the dispatcher after the commit.
 */
export async function joinFamilyGroups(
  statements: Statements,
  users: readonly UserId[],
): Promise<void> {
  // An operator might already have put the parent into a group.
  const { rows } = await statements.query(
    `select u.id, u.parent_id, coalesce(nullif(p.group_id, 0), u.parent_id) as group_id
     from users u left join engine_user_settings p on p.user_id = u.parent_id
       left join engine_user_settings s on s.user_id = u.id
     where u.id = any($1::bigint[]) and u.parent_id is not null
       and (coalesce(p.group_id, 0) = 0 or coalesce(s.group_id, 0) = 0)
     order by u.parent_id, u.id`,
    [users],
  );
  for (const { group_id, id, parent_id } of rows) {
    for (const member of [parent_id, id]) {
      await setEngineSettings(statements, { user: idOf<UserId>(member), group: idOf(group_id) });
    }
  }
}

/** Returns rows with an unsent version, of users after `after`, in order of users. */
export async function readUnsentSettings(
  statements: Statements,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<UnsentSettings[]> {
  const { rows } = await statements.query(
    `select user_id, group_id, is_house, tier, discount_ppm, version from engine_user_settings
     where sent_version < version and user_id > $1 order by user_id limit $2`,
    [after, limit],
  );
  return rows.map((row) => ({
    user: idOf<UserId>(row.user_id),
    group: Number(row.group_id),
    isHouse: row.is_house,
    tier: Number(row.tier),
    discountPpm: Number(row.discount_ppm) as Ppm,
    version: Number(row.version),
  }));
}

/** Records the versions that the engine has. A row that changed in the meantime remains unsent. */
export async function markSettingsSent(
  statements: Statements,
  sent: readonly UnsentSettings[],
): Promise<void> {
  await statements.query(
    `update engine_user_settings s set sent_version = m.version
     from unnest($1::bigint[], $2::bigint[]) as m(user_id, version)
     where s.user_id = m.user_id and s.sent_version < m.version`,
    [sent.map(({ user }) => user), sent.map(({ version }) => version)],
  );
}
