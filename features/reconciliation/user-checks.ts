// Compares the engine's users with the registry's: no user has money without a row, and fee tier
// and discount match the registry.

import { type Check, type CheckContext, type Difference, type Place, stepRows } from './check.ts';
import type { EngineUser } from './engine-state.ts';

const START: Place = ['0'];
const USERS_SHARE = 5;

/** A user's row is committed before the engine gets the user, and is permanent. */
export const USERS: Check = {
  name: 'users',
  pauses: true,
  async walk(context, from = START) {
    const { connection, engine } = context;
    const all = [...engine.users()];
    const rowsMax = stepRows(context, USERS_SHARE, all.length);
    const known = all.filter(({ user }) => user > Number(from[0]));
    const { rows } = await connection.query(USER_ROWS, [from[0], rowsMax]);
    const registered = new Map(rows.map((row) => [Number(row.id), row]));
    const last = rows.length < rowsMax ? undefined : Number(rows[rows.length - 1].id);
    const differences = known
      .filter(({ user }) => last === undefined || user <= last)
      .flatMap((user) => compare(context, user, registered.get(user.user)));
    const next = last === undefined ? undefined : [`${last}`];
    return { frame: engine.frame, rows: rows.length, differences, next };
  },
};

/** A sub-account has settings from its first credit. */
const USER_ROWS = `
  select u.id, u.verification_level as tier, coalesce(s.discount_ppm, 0) as discount_ppm,
    coalesce(s.sent_version < s.version, u.parent_id is not null) as is_under_way
  from users u left join engine_user_settings s on s.user_id = u.id
  where u.id > $1 order by u.id limit $2`;

function compare(
  { engine }: CheckContext,
  { discountPpm, tier, user }: EngineUser,
  // biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
  row: any,
): Difference[] {
  const object = `user ${user}`;
  if (row === undefined) {
    const found = 'known to the engine only';
    const expected = 'a row of users';
    return [{ object, asset: undefined, expected, found, isCertain: true }];
  }
  if (row.is_under_way) return [];
  const expected = feesText(Number(row.tier), Number(row.discount_ppm));
  const found = feesText(tier, discountPpm);
  return expected === found
    ? []
    : [{ object, asset: undefined, expected, found: `${found} at frame ${engine.frame}` }];
}

function feesText(tier: number, discountPpm: number): string {
  return `tier ${tier}, discount ${discountPpm} ppm`;
}
