// Batched reads and writes of keys and sessions for Access, each with its user and the permissions
// of the user's role. Secrets stay sealed.

import type { UserId } from '../../../core/money/index.ts';
import type { CredentialUse } from '../../../infra/access/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import { type KeyRow, keyOf } from './keys.ts';
import { type SessionRow, sessionOf } from './sessions.ts';

/** Owner fields that decide about a request. */
export interface OwnerRow {
  readonly user: UserId;
  /** Parent of a sub-account; null for all others. */
  readonly parent: UserId | null;
  readonly email: string;
  readonly role: string | null;
  readonly permissions: readonly string[];
  readonly powers: readonly string[];
  readonly language: string;
  readonly verificationLevel: number;
  readonly activated: boolean;
  readonly withdrawalBlockedUntil: Date | null;
  /** Sessions with other versions are invalid. */
  readonly securityVersion: number;
}

export interface KeyWithOwner {
  readonly key: KeyRow;
  readonly owner: OwnerRow;
}

export interface SessionWithOwner {
  readonly session: SessionRow;
  /** The session that opened it has ended. */
  readonly isOpenerEnded: boolean;
  readonly owner: OwnerRow;
}

const OWNER = `
  u.email as owner_email, u.parent_id as owner_parent, u.role as owner_role,
  u.settings ->> 'language' as owner_language,
  u.verification_level as owner_level, u.state = 'active'
    and not exists (select from users p where p.id = u.parent_id and p.state <> 'active')
    as owner_activated,
  u.withdrawal_blocked_until as owner_blocked_until,
  u.security_version as owner_security_version,
  coalesce(r.permissions, '{}') as owner_permissions,
  coalesce(r.powers, '{}') as owner_powers`;

const KEYS = `
  select k.*, ${OWNER} from api_keys k join users u on u.id = k.user_id
    left join roles r on r.name = u.role
  where k.public_key = any($1::text[])`;

const SESSIONS = `
  select s.*, o.revoked_at is not null as is_opener_ended, ${OWNER}
  from sessions s join users u on u.id = s.user_id left join roles r on r.name = u.role
    left join sessions o on o.id = s.opened_by
  where s.token_hash = any($1::bytea[])`;

/** Leaves out unknown public keys and includes revoked ones. */
export async function readKeys(
  statements: Statements,
  publicKeys: readonly string[],
): Promise<KeyWithOwner[]> {
  const { rows } = await statements.query(KEYS, [publicKeys]);
  return rows.map((row) => ({ key: keyOf(row), owner: ownerOf(row) }));
}

export async function readSessions(
  statements: Statements,
  tokenHashes: readonly Uint8Array[],
): Promise<SessionWithOwner[]> {
  const { rows } = await statements.query(SESSIONS, [tokenHashes]);
  return rows.map((row) => ({
    session: sessionOf(row),
    isOpenerEnded: row.is_opener_ended,
    owner: ownerOf(row),
  }));
}

/** Several gateways write, and the latest use wins. */
export function writeKeyUses(
  statements: Statements,
  uses: readonly CredentialUse[],
): Promise<void> {
  return writeUses(statements, uses, { table: 'api_keys', column: 'last_used_at' });
}

export function writeSessionUses(
  statements: Statements,
  uses: readonly CredentialUse[],
): Promise<void> {
  return writeUses(statements, uses, { table: 'sessions', column: 'last_seen_at' });
}

async function writeUses(
  statements: Statements,
  uses: readonly CredentialUse[],
  { column, table }: { table: 'api_keys' | 'sessions'; column: 'last_used_at' | 'last_seen_at' },
): Promise<void> {
  // Locks in a fixed order, so two gateways cannot deadlock.
  const sorted = uses.toSorted((one, other) => one.id - other.id);
  await statements.query(
    `with used as (
       select t.id, to_timestamp(u.ms / 1000.0) as used_at
       from ${table} t join unnest($1::bigint[], $2::bigint[]) as u (id, ms) on u.id = t.id
       order by t.id for update of t
     )
     update ${table} t set ${column} = used.used_at from used
     where t.id = used.id and (t.${column} is null or t.${column} < used.used_at)`,
    [sorted.map(({ id }) => id), sorted.map(({ usedAtMs }) => Math.floor(usedAtMs))],
  );
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function ownerOf(row: any): OwnerRow {
  return {
    user: idOf(row.user_id),
    parent: row.owner_parent == null ? null : idOf(row.owner_parent),
    email: row.owner_email,
    role: row.owner_role,
    permissions: row.owner_permissions,
    powers: row.owner_powers,
    language: row.owner_language ?? 'en',
    verificationLevel: Number(row.owner_level),
    activated: row.owner_activated,
    withdrawalBlockedUntil: row.owner_blocked_until,
    securityVersion: Number(row.owner_security_version),
  };
}
