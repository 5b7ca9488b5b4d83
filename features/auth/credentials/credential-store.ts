// Reads keys and sessions for Access from the registry. Each row becomes a caller and the means to
// verify its signatures. A secret is stored as a KeyObject, which cannot be printed or logged.

import { createSecretKey, type KeyObject } from 'node:crypto';
import {
  AddressList,
  type CredentialStore,
  type KnownKey,
  type KnownSession,
  readVerifyingKey,
} from '../../../infra/access/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import { SealFault, type Vault } from '../../../platform/vault/index.ts';
import { type Caller, callerOfKey, callerOfSession } from './caller.ts';
import { type KeyRow, keyBound } from './keys.ts';
import {
  type KeyWithOwner,
  readKeys,
  readSessions,
  type SessionWithOwner,
  writeKeyUses,
  writeSessionUses,
} from './owned-credentials.ts';

export interface CredentialStoreOptions {
  /** Connections to the registry's schema. */
  readonly registry: Statements;
  readonly vault: Vault;
  /** The row was changed outside this code, or was sealed with another key. */
  onBrokenSeal(key: number): void;
}

export function createCredentialStore(options: CredentialStoreOptions): CredentialStore<Caller> {
  const { onBrokenSeal, registry, vault } = options;
  // Avoids opening an unchanged sealed secret again.
  const rows = new WeakMap<KnownKey<Caller>, KeyRow>();
  return {
    async readKeys(publicKeys, known) {
      const keys = new Map<string, KnownKey<Caller>>();
      for (const read of await readKeys(registry, publicKeys)) {
        const before = known(read.key.publicKey);
        const row = before && rows.get(before);
        const isSame = row !== undefined && isSealedAlike(row, read.key);
        const verifying = (isSame ? before?.verifying : undefined) ?? openKey(read.key, vault);
        if (verifying === undefined) onBrokenSeal(read.key.id);
        const key = knownKey(read, verifying);
        rows.set(key, read.key);
        keys.set(read.key.publicKey, key);
      }
      return keys;
    },
    async readSessions(tokenHashes) {
      const hashes = tokenHashes.map((name) => Buffer.from(name, 'hex'));
      const sessions = await readSessions(registry, hashes);
      return new Map(sessions.map((read) => [hexOf(read.session.tokenHash), knownSession(read)]));
    },
    writeKeyUses: (uses) => writeKeyUses(registry, uses),
    writeSessionUses: (uses) => writeSessionUses(registry, uses),
  };
}

function knownKey(
  { key, owner }: KeyWithOwner,
  verifying: KeyObject | undefined,
): KnownKey<Caller> {
  const caller = callerOfKey(key, owner);
  const isListed = key.whitelistingEnabled && key.whitelistedIps.length > 0;
  return {
    id: key.id,
    user: key.user,
    relatedUsers: caller.relatedUsers,
    caller,
    kind: key.kind,
    verifying,
    addresses: isListed ? new AddressList(key.whitelistedIps) : undefined,
    isActive: key.active && !key.revoked && key.suspendedReason === null,
    expiresAtMs: key.expiresAt.getTime(),
  };
}

function knownSession({ isOpenerEnded, owner, session }: SessionWithOwner): KnownSession<Caller> {
  const caller = callerOfSession(session, owner);
  return {
    id: session.id,
    user: session.user,
    relatedUsers: caller.relatedUsers,
    caller,
    isRevoked:
      session.revokedAt !== null ||
      isOpenerEnded ||
      session.securityVersion !== owner.securityVersion,
    expiresAtMs: session.expiresAt.getTime(),
    usedAtMs: (session.lastSeenAt ?? session.createdAt).getTime(),
    idleMs: session.idleSeconds === null ? undefined : session.idleSeconds * 1_000,
  };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function openKey(key: KeyRow, vault: Vault): KeyObject | undefined {
  try {
    const secret = vault.open(keyBound(key), key).toString();
    return key.kind === 'hmac' ? createSecretKey(secret, 'utf8') : readVerifyingKey(secret);
  } catch (fault) {
    if (fault instanceof SealFault) return undefined;
    throw fault;
  }
}

function isSealedAlike(one: KeyRow, other: KeyRow): boolean {
  return (
    Buffer.compare(one.sealed, other.sealed) === 0 &&
    one.id === other.id &&
    one.user === other.user &&
    one.kind === other.kind &&
    one.canRead === other.canRead &&
    one.canTrade === other.canTrade &&
    one.canWithdraw === other.canWithdraw &&
    one.role === other.role
  );
}
