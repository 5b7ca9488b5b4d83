// Shared accounts: an owner lets another user read and trade in the account. The owner names an
// address, and nothing reveals whether it has an account. A guest gets no credentials, only
// sessions in which the subject is the owner and the actor is the guest, and which the owner can
// end.

import { randomUUID } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import {
  type Connection,
  idOf,
  inTransaction,
  type Statements,
} from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { normalEmail } from '../accounts/index.ts';
import {
  type AccountHolder,
  type ActRefusal,
  type IssuedSession,
  lockHolder,
  type PersonContext,
  type Proofs,
  proveBoth,
  refuseMails,
} from '../auth/index.ts';
import { areLoginsStopped } from '../kill-switches/index.ts';
import { enqueueMail } from '../messages/index.ts';
import { type Entering, issueActingSession } from './sub-account-sessions.ts';

export interface SharedAccountRow {
  readonly id: number;
  /** The guest's address in the owner's list, and the owner's in the guest's. */
  readonly email: string;
  readonly label: string;
  readonly isPaused: boolean;
  readonly createdAt: Date;
}

export type SharedAccountRefusal =
  | ActRefusal
  | 'rate_limit_exceeded'
  | 'logins_stopped'
  | 'shared_account_not_found'
  | 'shared_accounts_too_many'
  | 'shared_account_exists'
  | 'shared_account_with_yourself'
  | 'shared_account_paused';

/** Guests have one session each, so they cannot use up all of the owner's. */
export const SHARED_ACCOUNTS_MAX = 10;

export interface NewShare {
  readonly email: string;
  readonly label: string;
  /** The same as for a trading key. */
  readonly proofs: Proofs;
}

/** Commit a rejection too, because it counts a try of the proofs. */
export function shareAccount(
  connection: Connection,
  vault: Vault,
  person: PersonContext,
  { email: typed, label, proofs }: NewShare,
): Promise<SharedAccountRow | Refused<SharedAccountRefusal>> {
  const email = normalEmail(typed);
  return inTransaction(connection, async () => {
    const owner = await lockHolder(connection, person);
    if (owner instanceof Refused) return owner;
    if (email === owner.email) return new Refused('shared_account_with_yourself');
    const shared = await listSharedAccounts(connection, vault, person.user);
    if (shared.length >= SHARED_ACCOUNTS_MAX) {
      return new Refused('shared_accounts_too_many', { max: SHARED_ACCOUNTS_MAX });
    }
    if (shared.some((one) => one.email === email)) return new Refused('shared_account_exists');
    const tooMany = await refuseMails(connection, vault, person);
    if (tooMany !== undefined) return tooMany;
    const unproven = await proveBoth(connection, vault, person, proofs);
    if (unproven !== undefined) return unproven;
    const guest = await findGuest(connection, email);
    const reference = randomUUID();
    const { kekId, sealed } = vault.seal(sharedAccountBound(reference), email);
    const { rows } = await connection.query(
      `insert into shared_accounts (user_id, guest_id, reference, kek_id, sealed_email, label)
       values ($1, $2, $3, $4, $5, $6) returning *`,
      [person.user, guest?.id ?? null, reference, kekId, sealed, label],
    );
    await mailBoth(connection, vault, person, { owner, guest, email });
    return sharedOf(rows[0], email);
  });
}

/** Returns the owner's guests, oldest first; at most SHARED_ACCOUNTS_MAX. */
export async function listSharedAccounts(
  statements: Statements,
  vault: Vault,
  owner: UserId,
): Promise<SharedAccountRow[]> {
  const { rows } = await statements.query(
    'select * from shared_accounts where user_id = $1 order by id',
    [owner],
  );
  return rows.map((row) => {
    const sealed = { kekId: idOf<number>(row.kek_id), sealed: row.sealed_email };
    return sharedOf(row, vault.open(sharedAccountBound(row.reference), sealed).toString());
  });
}

/** Returns a page of the accounts shared with the guest, oldest first, and their number. */
export async function listAccessibleAccounts(
  statements: Statements,
  guest: UserId,
  { limit, page }: { readonly limit: number; readonly page: number },
): Promise<{ readonly count: number; readonly data: SharedAccountRow[] }> {
  const counted = await statements.query(
    `select count(*) as count from (
       select from shared_accounts where guest_id = $1 limit ${COUNTED_MAX}) s`,
    [guest],
  );
  const { rows } = await statements.query(
    `select s.*, u.email from shared_accounts s join users u on u.id = s.user_id
     where s.guest_id = $1 order by s.id limit $2 offset $3`,
    [guest, limit, Math.min((page - 1) * limit, COUNTED_MAX)],
  );
  return {
    count: Number(counted.rows[0].count),
    data: rows.map((row) => sharedOf(row, row.email)),
  };
}

const COUNTED_MAX = 1_000;

/** A change of a share, and the sessions that it ended; announce them after the commit. */
export interface SharedAccountChange {
  readonly owner: UserId;
  readonly ended: readonly number[];
}

export function pauseSharedAccount(
  connection: Connection,
  person: PersonContext,
  id: number,
): Promise<SharedAccountChange | Refused<SharedAccountRefusal>> {
  const pause = "update shared_accounts set state = 'paused' where id = $1 and user_id = $2";
  return endAccess(connection, person, id, pause);
}

/** Grants as much as sharing, so it needs the same proofs. Commit a rejection too. */
export function resumeSharedAccount(
  connection: Connection,
  vault: Vault,
  person: PersonContext,
  { id, proofs }: { readonly id: number; readonly proofs: Proofs },
): Promise<SharedAccountChange | Refused<SharedAccountRefusal>> {
  return inTransaction(connection, async () => {
    const holder = await lockHolder(connection, person);
    if (holder instanceof Refused) return holder;
    const own = 'select from shared_accounts where id = $1 and user_id = $2';
    const { rows } = await connection.query(own, [id, person.user]);
    if (rows.length === 0) return new Refused('shared_account_not_found');
    const unproven = await proveBoth(connection, vault, person, proofs);
    if (unproven !== undefined) return unproven;
    await connection.query("update shared_accounts set state = 'active' where id = $1", [id]);
    return { owner: person.user, ended: [] };
  });
}

/** By the owner, or by the guest. */
export function removeSharedAccount(
  connection: Connection,
  person: PersonContext,
  id: number,
): Promise<SharedAccountChange | Refused<SharedAccountRefusal>> {
  const remove = 'delete from shared_accounts where id = $1 and $2 in (user_id, guest_id)';
  return endAccess(connection, person, id, remove);
}

function endAccess(
  connection: Connection,
  person: PersonContext,
  id: number,
  change: string,
): Promise<SharedAccountChange | Refused<SharedAccountRefusal>> {
  return inTransaction(connection, async () => {
    const holder = await lockHolder(connection, person);
    if (holder instanceof Refused) return holder;
    const { rows } = await connection.query(`${change} returning user_id, guest_id`, [
      id,
      person.user,
    ]);
    if (rows.length === 0) return new Refused('shared_account_not_found');
    const owner = idOf<UserId>(rows[0].user_id);
    const { guest_id: guest } = rows[0];
    if (guest === null) return { owner, ended: [] };
    const ended = await endSharedSessions(connection, { owner, guest: idOf<UserId>(guest) });
    return { owner, ended };
  });
}

export type EnteredAccount = IssuedSession & { readonly owner: UserId };

/** Announce the ended sessions after the commit. */
export function enterSharedAccount(
  connection: Connection,
  vault: Vault,
  id: number,
  entering: Entering,
): Promise<EnteredAccount | Refused<SharedAccountRefusal>> {
  const { person } = entering;
  return inTransaction(connection, async () => {
    const of = 'select user_id, state from shared_accounts where id = $1 and guest_id = $2';
    const found = (await connection.query(of, [id, person.user])).rows[0];
    if (found === undefined) return new Refused('shared_account_not_found');
    const owner = idOf<UserId>(found.user_id);
    // Locks in a fixed order, so two users who enter each other's account cannot deadlock.
    await connection.query(
      'select from users where id = any($1::bigint[]) order by id for no key update',
      [[owner, person.user]],
    );
    const holder = await lockHolder(connection, person);
    if (holder instanceof Refused) return holder;
    // Reads it again, because the owner might have paused it before the lock.
    const { rows } = await connection.query(
      `select s.state = 'active' and u.state = 'active' as is_open
       from shared_accounts s join users u on u.id = s.user_id
       where s.id = $1 and s.guest_id = $2`,
      [id, person.user],
    );
    if (rows.length === 0) return new Refused('shared_account_not_found');
    if (!rows[0].is_open) return new Refused('shared_account_paused');
    if (await areLoginsStopped(connection)) return new Refused('logins_stopped');
    const before = await endSharedSessions(connection, { owner, guest: person.user });
    const { language } = holder;
    const issued = await issueActingSession(connection, vault, {
      ...entering,
      kind: 'shared',
      user: owner,
      language,
    });
    return { ...issued, owner, ended: [...before, ...issued.ended] };
  });
}

async function endSharedSessions(
  connection: Connection,
  { guest, owner }: { readonly owner: UserId; readonly guest: UserId },
): Promise<number[]> {
  const { rows } = await connection.query(
    `update sessions set revoked_at = now(), revoked_reason = 'shared_account'
     where user_id = $1 and actor_id = $2 and kind = 'shared' and revoked_at is null
     returning id`,
    [owner, guest],
  );
  return rows.map(({ id }) => idOf<number>(id));
}

interface Guest {
  readonly id: UserId;
  readonly language: string;
}

/** Sub-accounts have no email address of a user, so a guest is always outside the family. */
async function findGuest(connection: Connection, email: string): Promise<Guest | undefined> {
  const { rows } = await connection.query(
    `select id, coalesce(settings ->> 'language', 'en') as language from users
     where lower(email) = $1 and kind = 'person' and state = 'active'`,
    [email],
  );
  return rows.map(({ id, language }) => ({ id: idOf<UserId>(id), language }))[0];
}

async function mailBoth(
  connection: Connection,
  vault: Vault,
  { circumstances, user }: PersonContext,
  people: {
    readonly owner: AccountHolder;
    readonly guest: Guest | undefined;
    readonly email: string;
  },
): Promise<void> {
  const { email, guest, owner } = people;
  const kind = 'shared_account_granted';
  const shared = { account: owner.email, sharedWith: email };
  await enqueueMail(connection, vault, {
    user,
    to: owner.email,
    language: owner.language,
    kind,
    values: { ...circumstances, ...shared },
  });
  if (guest === undefined) return;
  // Hides the owner's location and freeze link from the guest.
  const hidden = { ip: '', country: '', device: '', freezeToken: '' };
  await enqueueMail(connection, vault, {
    user: guest.id,
    to: email,
    language: guest.language,
    kind,
    values: { ...circumstances, ...hidden, ...shared },
  });
}

/** Returns the text that the address is bound to. */
export function sharedAccountBound(reference: string): string {
  return `shared account ${reference}`;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function sharedOf(row: any, email: string): SharedAccountRow {
  return {
    id: idOf(row.id),
    email,
    label: row.label,
    isPaused: row.state === 'paused',
    createdAt: row.created_at,
  };
}
