// Erases a closed account: deletes the user's data, credentials and traces; money records stay,
// under the ID of a nameless user. Backups keep the sealed data, but the key is destroyed, and the
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

/** Address and language of the last email. */
export interface ErasedPerson {
  readonly email: string;
  readonly language: string;
}

export type ErasureRefusal = 'user_unknown' | 'user_not_closed';

/** The user's credentials, devices, emails and address book: rows without a further use. */
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

/** Statements with the user's ID as $1 that remove personal values from rows that stay. */
const CUTS = [
  `update users set state = 'erased', state_since = now(), updated_at = now(),
     email = 'erased-' || id || '@invalid', username = 'erased-' || id,
     has_chosen_username = false, settings = default, meta = '{}', note = '',
     block_reason = null, security_version = security_version + 1
   where id = $1`,
  `update api_keys set revoked = true, active = false, name = 'erased', whitelisted_ips = '{}'
   where user_id = $1`,
  `update sessions set revoked_at = coalesce(revoked_at, now()), ip = '', user_agent = ''
   where user_id = $1`,
  `update logins set ip = '', country = '', user_agent = '', email_mac = '' where user_id = $1`,
  'update invitations set email = null where used_by = $1',
  'delete from shared_accounts where guest_id = $1',
  `delete from approval_keys k using approval_requests a
   where a.id = k.request_id and a.sealed is not null and a.subjects @> array[$1::bigint]`,
  `update reveals set reason = 'erased with the person', ticket = 'erased', comment = ''
   where subject_id = $1`,
];

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
      `select state, role, email, coalesce(settings ->> 'language', 'en') as language
       from users where id = $1 for update`,
      [user],
    );
    const state: UserState | undefined = found.rows[0]?.state;
    if (state === undefined) return 'user_unknown';
    if (state === 'erased') return 'erased';
    if (state !== 'closed') return 'user_not_closed';
    await destroyPersonalKey(connection, user);
    // While the account is closed and has its address, because no other role can change these rows.
    await connection.query('select cut_requests_of_closed($1)', [user]);
    for (const table of DELETED_TABLES) {
      await connection.query(`delete from ${table} where user_id = $1`, [user]);
    }
    for (const cut of CUTS) await connection.query(cut, [user]);
    const [{ email, language, role }] = found.rows;
    if (role !== null) await connection.query('update users set role = null where id = $1', [user]);
    await onErased?.({ email, language });
    return 'erased';
  });
}

/**
 * Returns closed accounts after their retention, longest closed first. An account with a role stays
 * until an administrator removes the role: the job has no right to change roles.
 */
export async function listUsersToErase(
  statements: Statements,
  { closedBefore, limit }: { readonly closedBefore: Date; readonly limit: number },
): Promise<UserId[]> {
  const { rows } = await statements.query(
    `select id from users where state = 'closed' and state_since < $1 and role is null
     order by state_since limit $2`,
    [closedBefore, limit],
  );
  return rows.map(({ id }) => idOf<UserId>(id));
}
