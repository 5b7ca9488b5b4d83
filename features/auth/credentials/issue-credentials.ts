// Issues and revokes keys. The secret is returned once and never stored in plain text; every change
// is announced to all gateways after its commit.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { DAY_MS } from '../../../core/market-data/index.ts';
import type { KeyId, UserId } from '../../../core/money/index.ts';
import {
  ADDRESSES_MAX,
  isAddressEntry,
  isNarrowEntry,
  readVerifyingKey,
} from '../../../infra/access/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  createKey,
  type KeyChange,
  type KeyKind,
  type KeyOfUser,
  type KeyRow,
  type KeyScopes,
  keyBound,
  markKeyRevoked,
  updateKeyRow,
} from './keys.ts';

export interface KeyRequest extends KeyScopes {
  readonly user: UserId;
  readonly name: string;
  readonly kind: KeyKind;
  readonly whitelistedIps: readonly string[];
  /** Public key (32 bytes in base64) of an Ed25519 key whose owner keeps the private half. */
  readonly verifyingKey?: string;
  readonly bookOnly?: boolean;
  /** At most KEY_LIFE_MS from now, which is the default. */
  readonly expiresAtMs?: number;
  readonly nowMs: number;
}

export type KeyRefusal =
  | 'key_addresses_invalid'
  | 'key_admin_whitelist_needed'
  | 'key_expiry_invalid'
  | 'key_name_invalid'
  | 'key_verifying_key_invalid'
  | 'key_withdraw_needs_addresses';

export interface IssuedKey {
  readonly key: KeyRow;
  /**
   * Shown once. For an Ed25519 key generated here, its private key as PEM; '' if the owner has it.
   */
  readonly secret: string;
}

/** Announces changes after their commit, so every gateway drops its cached copy. */
export interface CredentialChangeFeed {
  announce(change: CredentialChange): void;
}

export interface CredentialChange {
  readonly user: UserId;
  /** ID of the changed key or session; 0 for the other kind. */
  readonly key: KeyId | 0;
  readonly session: number;
  /** Whether open sockets of the key or session must be closed. */
  readonly isRevoked: boolean;
}

/** 1,800 days. */
export const KEY_LIFE_MS = 1_800 * DAY_MS;
const PUBLIC_KEY_BYTES = 20;
const SECRET_BYTES = 25;
const NAME_CHARACTERS_MAX = 64;

/**
 * `mayBeAnywhere` permits a withdrawing key, or an admin's key, without an address list. Only for
 * development.
 */
export async function issueKey(
  statements: Statements,
  vault: Vault,
  request: KeyRequest,
  { mayBeAnywhere = false } = {},
): Promise<IssuedKey | Refused<KeyRefusal>> {
  const refusal = refuseNewKey(request, { mayBeAnywhere });
  if (refusal !== undefined) return refusal;
  const { canRead, canTrade, canWithdraw, kind, name, nowMs, role, user, whitelistedIps } = request;
  const { secret, sealed } = drawSecret(request);
  const key = await createKey(
    statements,
    {
      user,
      name,
      kind,
      canRead,
      canTrade,
      canWithdraw,
      role,
      whitelistedIps,
      bookOnly: request.bookOnly ?? false,
      publicKey: randomBytes(PUBLIC_KEY_BYTES).toString('hex'),
      verifyingKey: kind === 'ed25519' ? sealed : null,
      expiresAt: new Date(request.expiresAtMs ?? nowMs + KEY_LIFE_MS),
    },
    (binding) => vault.seal(keyBound(binding), sealed),
  );
  return { key, secret };
}

/**
 * Call it in a transaction, and announce the change after the commit. Returns undefined if the user
 * has no such key, or it is revoked.
 */
export function changeKey(
  statements: Statements,
  vault: Vault,
  { change, key }: { readonly key: KeyOfUser; readonly change: KeyChange },
): Promise<KeyRow | Refused<KeyRefusal> | undefined> {
  return updateKeyRow<KeyRefusal>(statements, key, change, {
    refuse: refuseKey,
    reseal: (before, after) => vault.seal(keyBound(after), vault.open(keyBound(before), before)),
  });
}

/** Makes every gateway drop its copy of the key and close the key's sockets. */
export function announceKey(changes: CredentialChangeFeed, { id, user }: KeyOfUser): void {
  announceRevocation(changes, { user, key: id, session: 0 });
}

/** Returns false if the user has no such key, or it was already revoked. */
export async function revokeKey(
  statements: Statements,
  key: KeyOfUser,
  changes: CredentialChangeFeed,
): Promise<boolean> {
  const isDone = await markKeyRevoked(statements, key);
  if (isDone) announceKey(changes, key);
  return isDone;
}

function announceRevocation(
  changes: CredentialChangeFeed,
  what: { user: UserId; key: KeyId | 0; session: number },
): void {
  changes.announce({ ...what, isRevoked: true });
}

function drawSecret({ kind, verifyingKey }: KeyRequest): { secret: string; sealed: string } {
  if (kind === 'hmac') {
    const secret = randomBytes(SECRET_BYTES).toString('hex');
    return { secret, sealed: secret };
  }
  if (verifyingKey !== undefined) return { secret: '', sealed: verifyingKey };
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    secret: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    sealed: Buffer.from(x, 'base64url').toString('base64'),
  };
}

/** Checks the key as it would be after the change. */
export function refuseKeyChange(
  before: KeyRow,
  change: KeyChange,
): Refused<KeyRefusal> | undefined {
  return refuseKey({ ...before, ...change });
}

function refuseKey(after: KeyRow): Refused<KeyRefusal> | undefined {
  return refuseNameAndAddresses(after) ?? refuseOpenKey(after);
}

export function refuseNewKey(
  request: KeyRequest,
  { mayBeAnywhere = false } = {},
): Refused<KeyRefusal> | undefined {
  const { expiresAtMs, kind, nowMs, verifyingKey, whitelistedIps } = request;
  const whitelistingEnabled = whitelistedIps.length > 0;
  const scopes = { bookOnly: false, ...request, whitelistingEnabled };
  const refusal =
    refuseNameAndAddresses(request) ?? (mayBeAnywhere ? undefined : refuseOpenKey(scopes));
  if (refusal !== undefined) return refusal;
  if (expiresAtMs !== undefined && !(expiresAtMs > nowMs && expiresAtMs <= nowMs + KEY_LIFE_MS)) {
    return new Refused('key_expiry_invalid', { days: KEY_LIFE_MS / DAY_MS });
  }
  if (verifyingKey === undefined) return undefined;
  const isValid = kind === 'ed25519' && readVerifyingKey(verifyingKey) !== undefined;
  return isValid ? undefined : new Refused('key_verifying_key_invalid');
}

type KeyBounds = Pick<
  KeyRow,
  'bookOnly' | 'canWithdraw' | 'role' | 'whitelistedIps' | 'whitelistingEnabled'
>;

function refuseOpenKey(key: KeyBounds): Refused<KeyRefusal> | undefined {
  const isListed = key.whitelistingEnabled && key.whitelistedIps.length > 0;
  if (!isListed && key.role === 'admin') return new Refused('key_admin_whitelist_needed');
  const isBound = key.bookOnly || (isListed && key.whitelistedIps.every(isNarrowEntry));
  return key.canWithdraw && !isBound ? new Refused('key_withdraw_needs_addresses') : undefined;
}

function refuseNameAndAddresses(
  request: Pick<KeyRow, 'name' | 'whitelistedIps'>,
): Refused<KeyRefusal> | undefined {
  const { name, whitelistedIps } = request;
  if (name === '' || name.length > NAME_CHARACTERS_MAX) return new Refused('key_name_invalid');
  const isList = whitelistedIps.length <= ADDRESSES_MAX && whitelistedIps.every(isAddressEntry);
  return isList ? undefined : new Refused('key_addresses_invalid', { max: ADDRESSES_MAX });
}
