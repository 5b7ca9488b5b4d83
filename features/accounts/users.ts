// Rows of users. Values that follow from other tables or from the log (balances, wallets, current
// fees) are not here, and neither is personal data. A caller that changes a user must announce it
// on the bus; see infra/access.

import { randomInt, randomUUID } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import { idOf, type Statements } from '../../infra/postgres/index.ts';
import type { PersonalFields } from './personal-data.ts';
import { settingsOf } from './user-settings.ts';

/** Roles created by the first migration; operators can define more. Null for an ordinary user. */
export type RoleName = 'admin' | 'supervisor' | 'support' | 'kyc' | 'communicator' | (string & {});

/**
 * unverified ──▶ active ⇄ frozen; active ──▶ closing ──▶ closed ──▶ erased. A deposit that arrives
 * while an account is closing reactivates it.
 */
export type UserState = 'unverified' | 'active' | 'frozen' | 'closing' | 'closed' | 'erased';

export interface UserRow {
  readonly id: UserId;
  readonly email: string;
  readonly username: string;
  readonly verificationLevel: number;
  readonly state: UserState;
  /** Whether a one-time password is required to log in. */
  readonly otpEnabled: boolean;
  readonly affiliationCode: string;
  /** Decimals, as strings. */
  readonly affiliationRate: string;
  readonly discount: string;
  readonly settings: PersonalFields;
  readonly meta: PersonalFields;
  readonly note: string;
  readonly flagged: boolean;
  readonly role: RoleName | null;
  readonly withdrawalBlockedUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface NewUser {
  readonly email: string;
  readonly role?: RoleName;
  readonly verificationLevel?: number;
  readonly state?: UserState;
}

export interface WalletRow {
  readonly currency: string;
  readonly address: string;
  readonly network: string;
  readonly standard: string | null;
  readonly isValid: boolean;
  readonly createdAt: Date;
}

export type UserRefusal = 'email_not_valid' | 'email_taken' | 'role_unknown';

// ASCII before the @, because other letters look like these and few servers deliver to them.
const EMAIL = /^[!-?A-~]+@[^\s@\p{Cc}]+\.[^\s@\p{Cc}]+$/u;
const EMAIL_CHARACTERS_MAX = 254;
/** Receives no email; features/messages/mail writes none to it. */
const SUB_ACCOUNT_DOMAIN = '@sub-account.invalid';
const HOUSE_DOMAIN = '@house.invalid';
/** For users known only from the log, until an operator attaches an email address. */
export const LOST_DOMAIN = '@lost.invalid';
const USER = `
  select u.*, exists (
    select from totp_secrets t where t.user_id = u.id and t.state = 'active'
  ) as otp_enabled from users u`;
const USER_BY_ID = `${USER} where u.id = $1`;
const USER_BY_EMAIL = `${USER} where lower(u.email) = $1`;

/**
 * Canonical spelling of an address, for every lookup, counter and row. PostgreSQL's `lower` differs
 * for some letters, so it is only used on addresses in this spelling.
 */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase();
}

/** Whether the text has the form of an email address; delivery can still fail. */
export function isEmailAddress(text: string): boolean {
  return EMAIL.test(text) && text.length <= EMAIL_CHARACTERS_MAX;
}

/** Stores the email address in lower case. */
export async function createUser(
  statements: Statements,
  user: NewUser,
): Promise<UserRow | UserRefusal> {
  const email = normalEmail(user.email);
  if (!isEmailAddress(email)) return 'email_not_valid';
  for (let attempt = 1; ; attempt++) {
    try {
      return await insertUser(statements, { ...user, email });
    } catch (fault) {
      const { constraint } = fault as { constraint?: string };
      if (constraint === 'users_by_email') return 'email_taken';
      if (constraint === 'users_role_fkey') return 'role_unknown';
      // Another user might have the same code.
      const isCodeTaken = constraint === 'users_affiliation_code_key';
      if (!isCodeTaken || attempt === CODE_ATTEMPTS_MAX) throw fault;
    }
  }
}

export async function findUser(statements: Statements, id: UserId): Promise<UserRow | undefined> {
  const { rows } = await statements.query(USER_BY_ID, [id]);
  return rows.map(userOf)[0];
}

export async function findUserByEmail(
  statements: Statements,
  email: string,
): Promise<UserRow | undefined> {
  const { rows } = await statements.query(USER_BY_EMAIL, [normalEmail(email)]);
  return rows.map(userOf)[0];
}

/**
 * Creates a user without credentials, with its parent's level and settings. Call it in a
 * transaction that has locked the parent.
 */
export async function createSubUser(
  statements: Statements,
  { kind, parent }: { readonly parent: UserId; readonly kind: 'sub' | 'virtual' },
): Promise<UserId> {
  const name = randomUUID();
  for (let attempt = 1; attempt <= CODE_ATTEMPTS_MAX; attempt++) {
    const { rows } = await statements.query(
      `insert into users (email, username, affiliation_code, kind, parent_id, verification_level,
         settings)
       select $2, $3, $4, $5, id, verification_level, settings from users where id = $1
       on conflict (affiliation_code) do nothing returning id`,
      [parent, `${name}${SUB_ACCOUNT_DOMAIN}`, name, affiliationCode(), kind],
    );
    if (rows.length === 1) return idOf(rows[0].id);
  }
  throw new Error('no free affiliation code was found');
}

/** Creates a house account, without credentials or an owner. */
export async function createHouseUser(statements: Statements): Promise<UserId> {
  const name = randomUUID();
  for (let attempt = 1; attempt <= CODE_ATTEMPTS_MAX; attempt++) {
    const { rows } = await statements.query(
      `insert into users (email, username, affiliation_code, kind) values ($1, $2, $3, 'house')
       on conflict (affiliation_code) do nothing returning id`,
      [`${name}${HOUSE_DOMAIN}`, name, affiliationCode()],
    );
    if (rows.length === 1) return idOf(rows[0].id);
  }
  throw new Error('no free affiliation code was found');
}

/**
 * Creates a user known only from the log, under the log's ID: frozen and without credentials. Raise
 * the user ID sequence before or after. Does nothing if the user exists.
 */
export async function createLostUser(statements: Statements, id: UserId): Promise<void> {
  const name = `user-${id}`;
  for (let attempt = 1; attempt <= CODE_ATTEMPTS_MAX; attempt++) {
    await statements.query(
      `insert into users (id, email, username, affiliation_code, state) overriding system value
       values ($1, $2, $3, $4, 'frozen') on conflict do nothing`,
      [id, `${name}${LOST_DOMAIN}`, name, affiliationCode()],
    );
    const { rows } = await statements.query('select from users where id = $1', [id]);
    if (rows.length === 1) return;
  }
  throw new Error('no free affiliation code was found');
}

/** Returns the user's deposit addresses, oldest first. */
export async function listWallets(statements: Statements, user: UserId): Promise<WalletRow[]> {
  const { rows } = await statements.query(
    `select currency, address, network, standard, is_valid as "isValid", created_at as "createdAt"
     from wallets where user_id = $1 order by id`,
    [user],
  );
  return rows as WalletRow[];
}

async function insertUser(statements: Statements, user: NewUser): Promise<UserRow> {
  const { email, role = null, state = 'active', verificationLevel = 1 } = user;
  const username = email.slice(0, email.indexOf('@'));
  const { rows } = await statements.query(
    `insert into users (email, username, affiliation_code, role, verification_level, state)
     values ($1, $2, $3, $4, $5, $6) returning *, false as otp_enabled`,
    [email, username, affiliationCode(), role, verificationLevel, state],
  );
  return userOf(rows[0]);
}

const CODE_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const CODE_LENGTH = 6;
const CODE_ATTEMPTS_MAX = 5;

function affiliationCode(): string {
  const draw = () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)];
  return Array.from({ length: CODE_LENGTH }, draw).join('');
}

/** Converts a row of `users` with `otp_enabled`. */
// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function userOf(row: any): UserRow {
  return {
    id: idOf(row.id),
    email: row.email,
    username: row.username,
    verificationLevel: Number(row.verification_level),
    state: row.state,
    otpEnabled: row.otp_enabled,
    affiliationCode: row.affiliation_code,
    affiliationRate: row.affiliation_rate,
    discount: row.discount,
    settings: settingsOf(row.settings),
    meta: row.meta,
    note: row.note,
    flagged: row.flagged,
    role: row.role,
    withdrawalBlockedUntil: row.withdrawal_blocked_until,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
