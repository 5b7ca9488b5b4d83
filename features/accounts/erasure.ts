// Erasure of a closed account: the person's data, credentials and traces go; money records stay as
// numbers of a user without a name. Backups keep the sealed data, but the key is destroyed, and the
// backups that still have the key expire.

import type { UserId } from '../../core/money/index.ts';
import {
  type Connection,
  idOf,
  inTransaction,
  type Statements,
} from '../../infra/postgres/index.ts';
import { destroyPersonalKey } from './personal-keys.ts';
import type { UserState } from './users.ts';

/** The address and language of the last mail. */
export interface ErasedPerson {
  readonly email: string;
  readonly language: string;
}

export type ErasureRefusal = 'user_unknown' | 'user_not_closed';

/** Credentials, devices, mails and address book of the person: rows without a further use. */
const DELETED_TABLES = [
  'passwords',
  'totp_secrets',
  'passkeys',
  'recovery_codes',
  'codes',
  'devices',
  'mail_outbox',
  'address_book',
  'bank_accounts',
  'payment_details',
  'support_messages',
  'sub_accounts',
  'shared_accounts',
] as const;

/** Statements with the user's id as $1 that cut personal values out of rows that stay. */
const CUTS = [
  `update users set state = 'erased', state_since = now(), updated_at = now(),
     email = 'erased-' || id || '@invalid', username = 'erased-' || id,
     has_chosen_username = false, role = null, settings = default, meta = '{}', note = '',
     block_reason = null, security_version = security_version + 1
   where id = $1`,
  `update api_keys set revoked = true, active = false, name = 'erased', whitelisted_ips = '{}'
   where user_id = $1`,
  `update sessions set revoked_at = coalesce(revoked_at, now()), ip = '', user_agent = ''
   where user_id = $1`,
  `update logins set ip = '', country = '', user_agent = '', email_mac = '' where user_id = $1`,
  'update invitations set email = null where used_by = $1',
  'delete from shared_accounts where guest_id = $1',
  // A decision stays with its numbers, without the countries that it was made from.
  `update withdrawal_requests set description = '', bank_sealed = null,
     policy_input = case jsonb_typeof(policy_input -> 'session')
       when 'object' then policy_input || jsonb_build_object('session',
         policy_input -> 'session' || '{"country": "", "knownCountries": []}')
       else policy_input end,
     policy_lines = (
       select jsonb_agg(case line ->> 'rule' when 'new_country' then line || '{"facts": {}}'
         else line end order by at)
       from jsonb_array_elements(policy_lines) with ordinality as lines (line, at))
   where user_id = $1`,
  `update deposit_requests set description = '' where user_id = $1`,
  `delete from approval_keys k using approval_requests a
   where a.id = k.request_id and a.sealed is not null and a.subjects @> array[$1::bigint]`,
  `update reveals set reason = 'erased with the person', ticket = 'erased', comment = ''
   where subject_id = $1`,
];

/** The same for rows of other people that name the person's e-mail address, which is $2. */
const CUTS_OF_EMAIL = ['withdrawal_requests', 'deposit_requests'].map(
  (table) => `update ${table} set address = 'erased-' || $1::bigint || '@invalid'
    where address = $2 and network = 'email'`,
);

/**
 * closed ──▶ erased, in one transaction. Erasing again changes nothing. The caller announces the
 * change to the gateways. `onErased` runs in the same transaction, with what the erasure removed.
 */
export function eraseUser(
  connection: Connection,
  user: UserId,
  onErased?: (person: ErasedPerson) => Promise<void>,
): Promise<'erased' | ErasureRefusal> {
  return inTransaction(connection, async () => {
    const found = await connection.query(
      `select state, email, coalesce(settings ->> 'language', 'en') as language
       from users where id = $1 for update`,
      [user],
    );
    const state: UserState | undefined = found.rows[0]?.state;
    if (state === undefined) return 'user_unknown';
    if (state === 'erased') return 'erased';
    if (state !== 'closed') return 'user_not_closed';
    await destroyPersonalKey(connection, user);
    for (const table of DELETED_TABLES) {
      await connection.query(`delete from ${table} where user_id = $1`, [user]);
    }
    for (const cut of CUTS) await connection.query(cut, [user]);
    const [{ email, language }] = found.rows;
    for (const cut of CUTS_OF_EMAIL) await connection.query(cut, [user, email]);
    await onErased?.({ email, language });
    return 'erased';
  });
}

/** Closed accounts whose retention is over, the longest closed first. */
export async function listUsersToErase(
  statements: Statements,
  { closedBefore, limit }: { readonly closedBefore: Date; readonly limit: number },
): Promise<UserId[]> {
  const { rows } = await statements.query(
    `select id from users where state = 'closed' and state_since < $1
     order by state_since limit $2`,
    [closedBefore, limit],
  );
  return rows.map(({ id }) => idOf<UserId>(id));
}
