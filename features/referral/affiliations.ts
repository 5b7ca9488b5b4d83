// Affiliations: who was referred by whom. Created at sign-up or when a user applies a code later;
// never changed.

import type { UserId } from '../../core/money/index.ts';
import { type Connection, idOf, type Statements } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { setEngineSettings } from '../accounts/index.ts';
import { isSameFamily } from '../payments/index.ts';
import { checkReferralCode, storeCode } from './codes.ts';
import { lockProgress } from './progress.ts';
import { readReferralSettings } from './settings.ts';

export type ReferralRefusal =
  | 'referral_is_off'
  | 'referral_code_unknown'
  /** The user's own code, or one from the same family. */
  | 'referral_code_own'
  | 'referral_already_applied'
  /** A sub-account: its parent applies the code. */
  | 'session_of_person_needed';

export interface Affiliation {
  readonly user: UserId;
  readonly email: string;
  readonly referrer: UserId;
  readonly code: string;
  readonly earningRate: number;
  readonly createdAt: Date;
}

const PPM_PER_PERCENT = 10_000;

/**
 * Runs in the caller's transaction. Wake the dispatcher after the commit, because it sends the
 * discount.
 */
export async function applyReferral(
  connection: Connection,
  asked: { readonly user: UserId; readonly code: string },
  projectionSchema: string,
): Promise<Refused<ReferralRefusal> | undefined> {
  const settings = await readReferralSettings(connection, projectionSchema);
  if (settings === undefined) return new Refused('referral_is_off');
  const { user } = asked;
  const { rows } = await connection.query(
    'select kind from users where id = $1 for no key update',
    [user],
  );
  // Fees count for the account that used the code, not for its sub-accounts.
  if (rows[0]?.kind !== 'person') return new Refused('session_of_person_needed');
  const code = await checkReferralCode(connection, asked.code, settings);
  if (code === undefined) return new Refused('referral_code_unknown');
  if (await isSameFamily(connection, user, code.owner)) return new Refused('referral_code_own');
  const progress = await lockProgress(connection, projectionSchema, 'share');
  if (progress === undefined) return new Refused('referral_is_off');
  await storeCode(connection, code);
  const { rowCount } = await connection.query(
    `insert into affiliations
       (user_id, referrer_id, code, earning_rate, discount, starts_at, ends_at)
     select $1, $2, $3, $4, $5, s.at, s.at + nullif($7::int, 0) * interval '1 month'
     from (select greatest(clock_timestamp(), $6) as at) s
     on conflict (user_id) do nothing`,
    [
      user,
      code.owner,
      code.code,
      code.earningRate,
      code.discount,
      progress.time,
      settings.earningMonths,
    ],
  );
  if (rowCount === 0) return new Refused('referral_already_applied');
  await connection.query('update referral_codes set uses = uses + 1 where code = $1', [code.code]);
  if (code.discount > 0) await giveDiscount(connection, user, code.discount);
  return undefined;
}

/** Keeps a better discount granted by an operator. */
async function giveDiscount(connection: Connection, user: UserId, percent: number): Promise<void> {
  const { rows } = await connection.query(
    `update users set discount = greatest(discount, $2), updated_at = now() where id = $1
     returning discount`,
    [user, percent],
  );
  const discountPpm = Math.trunc(Number(rows[0].discount) * PPM_PER_PERCENT);
  await setEngineSettings(connection, { user, discountPpm });
}

/** Returns the user's referrer, or undefined if the user was not referred. */
export async function findReferrer(
  statements: Statements,
  user: UserId,
): Promise<{ readonly id: UserId; readonly email: string; readonly at: Date } | undefined> {
  const { rows } = await statements.query(
    `select u.id, u.email, a.created_at from affiliations a join users u on u.id = a.referrer_id
     where a.user_id = $1`,
    [user],
  );
  return rows.map(({ created_at: at, email, id }) => ({ id: idOf<UserId>(id), email, at }))[0];
}

const OF_REFERRER = `
  affiliations a where a.referrer_id = $1
    and ($2::timestamptz is null or a.created_at >= $2)
    and ($3::timestamptz is null or a.created_at < $3)`;

/** Users referred by a referrer: $1 referrer, $2 from, $3 to. */
export const affiliationsOfReferrer = {
  rows: (order: string) =>
    `select a.*, u.email from (select a.* from ${OF_REFERRER} ${order} limit $4 offset $5) a
     join users u on u.id = a.user_id ${order}`,
  count: `select count(*) from (select from ${OF_REFERRER} limit $4) counted`,
  defaultSort: ['a.created_at', 'a.user_id'],
} as const;

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function affiliationOf(row: any): Affiliation {
  return {
    user: idOf(row.user_id),
    email: row.email,
    referrer: idOf(row.referrer_id),
    code: row.code,
    earningRate: Number(row.earning_rate),
    createdAt: row.created_at,
  };
}
