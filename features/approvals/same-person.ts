// Whether a voter is independent of the requester and the beneficiaries: another person, from
// another family, who shares no phone, document or login location with them.

import type { UserId } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';

export type SharedMark = 'same_user' | 'family' | 'phone_or_document' | 'device' | 'address';

const MARK_TEXTS: Readonly<Record<SharedMark, string>> = {
  same_user: 'user',
  family: 'account family',
  phone_or_document: 'phone number or ID document',
  device: 'device',
  address: 'IP address',
};

export function notIndependent(mark: SharedMark): Refused<'vote_not_independent'> {
  return new Refused('vote_not_independent', { mark: MARK_TEXTS[mark] });
}

/** Returns the first mark that the voter shares with one of the others, or undefined. */
export async function findSharedMark(
  statements: Statements,
  voter: UserId,
  others: readonly UserId[],
): Promise<SharedMark | undefined> {
  const related = await findFamily(statements, voter, others);
  if (related !== undefined) return related;
  for (const [mark, text] of MARKS) {
    const { rows } = await statements.query(text, [voter, others]);
    if (rows.length > 0) return mark;
  }
  return undefined;
}

/** Returns one of the others who is the user or in the same family. */
export async function findFamily(
  statements: Statements,
  user: UserId,
  others: readonly UserId[],
): Promise<'same_user' | 'family' | undefined> {
  if (others.includes(user)) return 'same_user';
  const { rows } = await statements.query(FAMILY, [user, others]);
  return rows.length > 0 ? 'family' : undefined;
}

const FAMILY = `
  select from users v join users o on coalesce(o.parent_id, o.id) = coalesce(v.parent_id, v.id)
  where v.id = $1 and o.id = any($2::bigint[]) limit 1`;

const MARKS: readonly (readonly [SharedMark, string])[] = [
  [
    'family',
    `select from shared_accounts
     where (user_id = $1 and guest_id = any($2::bigint[]))
       or (guest_id = $1 and user_id = any($2::bigint[])) limit 1`,
  ],
  [
    'phone_or_document',
    `select from personal_tokens v join personal_tokens o
       on o.field = v.field and o.token_mac = v.token_mac
     where v.user_id = $1 and v.field in ('phone', 'document')
       and o.user_id = any($2::bigint[]) limit 1`,
  ],
  [
    'device',
    `select from devices v join devices o on o.browser_hash = v.browser_hash
     where v.user_id = $1 and o.user_id = any($2::bigint[]) limit 1`,
  ],
  [
    'address',
    `select from logins v join logins o on o.ip = v.ip
     where v.user_id = $1 and o.user_id = any($2::bigint[]) and v.outcome = 'success'
       and o.outcome = 'success' and v.created_at > now() - interval '30 days'
       and o.created_at > now() - interval '30 days'
       and (select votes_need_other_address from exchange_control) limit 1`,
  ],
];
