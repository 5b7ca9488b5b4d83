// What is kept in memory of a key or a session: who it speaks for, whether it still may, and how
// its signatures are verified. A secret is kept as a KeyObject, which does not show itself.

import { createSecretKey, hash, type KeyObject, randomBytes } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import type { KeyRow, KeyWithOwner, SessionWithOwner } from '../registry/index.ts';
import { AddressList } from './address-list.ts';
import { type Caller, callerOfKey, callerOfSession } from './caller.ts';
import { type Seal, SealFault } from './seal.ts';
import { readVerifyingKey } from './signature.ts';

export interface KnownKey {
  readonly id: number;
  readonly user: UserId;
  readonly caller: Caller;
  readonly kind: 'hmac' | 'ed25519';
  /** The secret, or the verifying key. Undefined when its seal is broken: then nothing verifies. */
  readonly verifying: KeyObject | undefined;
  /** Undefined where every address may use the key. */
  readonly addresses: AddressList | undefined;
  readonly isActive: boolean;
  readonly expiresAtMs: number;
  readonly row: KeyRow;
}

export interface KnownSession {
  readonly id: number;
  readonly user: UserId;
  readonly caller: Caller;
  readonly isRevoked: boolean;
  readonly expiresAtMs: number;
}

/** `before` is the same key as it was known, whose secret need not be opened again. */
export function knownKey(
  { key, owner }: KeyWithOwner,
  { before, seal }: { readonly seal: Seal; readonly before: KnownKey | undefined },
): KnownKey {
  const isSame = before?.verifying !== undefined && isSealedAlike(before.row, key);
  const isListed = key.whitelistingEnabled && key.whitelistedIps.length > 0;
  return {
    id: key.id,
    user: key.user,
    caller: callerOfKey(key, owner),
    kind: key.kind,
    verifying: isSame ? before.verifying : openKey(key, seal),
    addresses: isListed ? new AddressList(key.whitelistedIps) : undefined,
    isActive: key.active && !key.revoked,
    expiresAtMs: key.expiresAt.getTime(),
    row: key,
  };
}

export function knownSession({ owner, session }: SessionWithOwner): KnownSession {
  return {
    id: session.id,
    user: session.user,
    caller: callerOfSession(session, owner),
    isRevoked: session.revokedAt !== null,
    expiresAtMs: session.expiresAt.getTime(),
  };
}

/** Under which sessions are kept, here and in the table. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Signs nothing that anyone could send. For the time that an unknown key has to take. */
export function nobodysSecret(): KeyObject {
  return createSecretKey(randomBytes(32));
}

function openKey(key: KeyRow, seal: Seal): KeyObject | undefined {
  try {
    const secret = seal.open(key, key);
    return key.kind === 'hmac' ? createSecretKey(secret, 'utf8') : readVerifyingKey(secret);
  } catch (fault) {
    if (fault instanceof SealFault) return undefined;
    throw fault;
  }
}

function isSealedAlike(one: KeyRow, other: KeyRow): boolean {
  return (
    Buffer.compare(one.sealedSecret, other.sealedSecret) === 0 &&
    Buffer.compare(one.sealedDataKey, other.sealedDataKey) === 0 &&
    one.id === other.id &&
    one.user === other.user &&
    one.kind === other.kind &&
    one.canRead === other.canRead &&
    one.canTrade === other.canTrade &&
    one.canWithdraw === other.canWithdraw &&
    one.role === other.role
  );
}
