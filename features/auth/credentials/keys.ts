// Rows of API keys. Secrets are sealed here; callbacks create and open them. Never publishes on the
// bus.

import type { KeyId, UserId } from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import type { Sealed } from '../../../platform/vault/index.ts';
import type { Refused } from '../../../protocol/wire/index.ts';

export type KeyKind = 'hmac' | 'ed25519';
export type KeyRole = 'user' | 'admin';

export interface KeyScopes {
  readonly canRead: boolean;
  readonly canTrade: boolean;
  readonly canWithdraw: boolean;
  /** With `admin`, the key can use its user's role. */
  readonly role: KeyRole;
}

/** Fields that a secret is bound to: a secret sealed for one binding does not open for another. */
export interface KeyBinding extends KeyScopes {
  readonly id: KeyId;
  readonly user: UserId;
  readonly kind: KeyKind;
}

export interface KeyRow extends KeyBinding, Sealed {
  readonly name: string;
  readonly publicKey: string;
  readonly verifyingKey: string | null;
  readonly whitelistedIps: readonly string[];
  readonly whitelistingEnabled: boolean;
  /** Withdraws only to addresses in the owner's address book. */
  readonly bookOnly: boolean;
  /** When its owner allowed it to withdraw; null if not allowed. */
  readonly withdrawGrantedAt: Date | null;
  readonly active: boolean;
  /**
   * Why it is suspended until its owner enables it again, for example `password_reset`. Null if it
   * is not suspended.
   */
  readonly suspendedReason: string | null;
  readonly revoked: boolean;
  readonly expiresAt: Date;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
}

export interface NewKey extends KeyScopes {
  readonly user: UserId;
  readonly name: string;
  readonly publicKey: string;
  readonly kind: KeyKind;
  readonly verifyingKey: string | null;
  readonly whitelistedIps: readonly string[];
  readonly bookOnly: boolean;
  readonly expiresAt: Date;
}

/** A key's role never changes. */
export interface KeyChange extends Partial<Omit<KeyScopes, 'role'>> {
  readonly name?: string;
  readonly whitelistedIps?: readonly string[];
  readonly whitelistingEnabled?: boolean;
  readonly bookOnly?: boolean;
  /** True also ends a suspension. */
  readonly active?: boolean;
}

/** Includes the owner, so a user cannot name another user's key. */
export interface KeyOfUser {
  readonly user: UserId;
  readonly id: KeyId;
}

/**
 * Returns the text that a key's secret is bound to. Every field has a fixed position, so no two
 * bindings are alike.
 */
export function keyBound(binding: KeyBinding): string {
  const { canRead, canTrade, canWithdraw, id, kind, role, user } = binding;
  const scopes = [canRead, canTrade, canWithdraw].map(Number).join('');
  return `rialto-key ${id} ${user} ${kind} ${scopes} ${role}`;
}

/** Calls `seal` with the key's ID, which the secret is bound to. */
export async function createKey(
  statements: Statements,
  key: NewKey,
  seal: (binding: KeyBinding) => Sealed,
): Promise<KeyRow> {
  const next = await statements.query(
    "select nextval(pg_get_serial_sequence('api_keys', 'id')) as id",
  );
  const { canRead, canTrade, canWithdraw, kind, role, user } = key;
  const id = idOf<KeyId>(next.rows[0].id);
  const binding = { id, user, kind, canRead, canTrade, canWithdraw, role };
  const { kekId, sealed } = seal(binding);
  const { rows } = await statements.query(
    `insert into api_keys (id, user_id, name, public_key, kind, kek_id, sealed,
       verifying_key, can_read, can_trade, can_withdraw, role, whitelisted_ips,
       whitelisting_enabled, expires_at, book_only, withdraw_granted_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, cardinality($13::text[]) > 0,
       $14, $15, case when $11 then now() end) returning *`,
    [
      id,
      user,
      key.name,
      key.publicKey,
      kind,
      kekId,
      sealed,
      key.verifyingKey,
      canRead,
      canTrade,
      canWithdraw,
      role,
      key.whitelistedIps,
      key.expiresAt,
      key.bookOnly,
    ],
  );
  return keyOf(rows[0]);
}

/** Returns all of the user's keys, including revoked ones, newest first. */
export async function listKeys(statements: Statements, user: UserId): Promise<KeyRow[]> {
  const { rows } = await statements.query(
    'select * from api_keys where user_id = $1 order by id desc',
    [user],
  );
  return rows.map(keyOf);
}

/** Returns keys that are neither revoked nor expired, newest first, including suspended ones. */
export async function listLiveKeys(statements: Statements, user: UserId): Promise<KeyRow[]> {
  const { rows } = await statements.query(`${LIVE_KEYS} order by id desc`, [user]);
  return rows.map(keyOf);
}

/** Returns undefined if the user has no such key. Finds revoked and expired ones. */
export async function findKey(
  statements: Statements,
  { id, user }: KeyOfUser,
): Promise<KeyRow | undefined> {
  const { rows } = await statements.query(
    'select * from api_keys where id = $1 and user_id = $2 for update',
    [id, user],
  );
  return rows.map(keyOf)[0];
}

const LIVE_KEYS =
  'select * from api_keys where user_id = $1 and not revoked and expires_at > now()';

/**
 * Returns false if the user has no such key, or it was already revoked. A revocation is permanent.
 */
export async function markKeyRevoked(
  statements: Statements,
  { id, user }: KeyOfUser,
): Promise<boolean> {
  const { rowCount } = await statements.query(
    `update api_keys set revoked = true, active = false
     where id = $1 and user_id = $2 and not revoked`,
    [id, user],
  );
  return rowCount === 1;
}

export interface KeyChangeRules<Key extends string> {
  /** Receives the key as it would be after the update. */
  refuse(after: KeyRow): Refused<Key> | undefined;
  /** Called if a field changes that the secret is bound to. */
  reseal(before: KeyRow, after: KeyBinding): Sealed;
}

/** Call it in a transaction. Returns undefined if the user has no such key, or it is revoked. */
export async function updateKeyRow<Key extends string>(
  statements: Statements,
  key: KeyOfUser,
  change: KeyChange,
  { refuse, reseal }: KeyChangeRules<Key>,
): Promise<KeyRow | Refused<Key> | undefined> {
  const before = await findKey(statements, key);
  if (before === undefined || before.revoked) return undefined;
  const after: KeyRow = { ...before, ...change };
  const refusal = refuse(after);
  if (refusal !== undefined) return refusal;
  const sealed = isSameBinding(before, after) ? before : reseal(before, after);
  const { rows } = await statements.query(
    `update api_keys set name = $2, can_read = $3, can_trade = $4, can_withdraw = $5, role = $6,
       whitelisted_ips = $7, whitelisting_enabled = $8, active = $9, kek_id = $10,
       sealed = $11, book_only = $12,
       withdraw_granted_at = case when $5 then coalesce(withdraw_granted_at, now()) end,
       suspended_reason = case when $13 then null else suspended_reason end
     where id = $1 returning *`,
    [
      key.id,
      after.name,
      after.canRead,
      after.canTrade,
      after.canWithdraw,
      after.role,
      after.whitelistedIps,
      after.whitelistingEnabled,
      after.active,
      sealed.kekId,
      sealed.sealed,
      after.bookOnly,
      change.active === true,
    ],
  );
  return keyOf(rows[0]);
}

function isSameBinding(one: KeyScopes, other: KeyScopes): boolean {
  return (
    one.canRead === other.canRead &&
    one.canTrade === other.canTrade &&
    one.canWithdraw === other.canWithdraw
  );
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function keyOf(row: any): KeyRow {
  return {
    id: idOf(row.id),
    user: idOf(row.user_id),
    name: row.name,
    publicKey: row.public_key,
    kind: row.kind,
    kekId: idOf(row.kek_id),
    sealed: row.sealed,
    verifyingKey: row.verifying_key,
    canRead: row.can_read,
    canTrade: row.can_trade,
    canWithdraw: row.can_withdraw,
    role: row.role,
    whitelistedIps: row.whitelisted_ips,
    whitelistingEnabled: row.whitelisting_enabled,
    bookOnly: row.book_only,
    withdrawGrantedAt: row.withdraw_granted_at,
    active: row.active,
    suspendedReason: row.suspended_reason ?? null,
    revoked: row.revoked,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
  };
}
