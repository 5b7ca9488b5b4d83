// The port through which Access reads keys and sessions by name, records their use and learns of
// changes. Knows no tables and no roles; the owner defines the caller.

import type { KeyObject } from 'node:crypto';
import type { KeyId, UserId } from '../../core/money/index.ts';
import type { AddressList } from './address-list.ts';

/** The part of a caller that Access itself reads. */
export interface CallerIdentity {
  readonly user: UserId;
  /** 0 for a session. */
  readonly key: KeyId;
  readonly isActivated: boolean;
  /** A change of all credentials of one of these users is a change of this caller too. */
  readonly relatedUsers: readonly UserId[];
}

/**
 * A key as the cache holds it: the caller it authenticates and the means to verify its signatures.
 */
export interface KnownKey<Caller extends CallerIdentity> {
  readonly id: number;
  readonly user: UserId;
  readonly relatedUsers: readonly UserId[];
  readonly caller: Caller;
  readonly kind: 'hmac' | 'ed25519';
  /** The secret, or the verifying key. Undefined if its seal is broken; nothing verifies then. */
  readonly verifying: KeyObject | undefined;
  /** Undefined if every address can use the key. */
  readonly addresses: AddressList | undefined;
  readonly isActive: boolean;
  readonly expiresAtMs: number;
}

export interface KnownSession<Caller extends CallerIdentity> {
  readonly id: number;
  readonly user: UserId;
  readonly relatedUsers: readonly UserId[];
  readonly caller: Caller;
  /** Revoked, or issued before the user's last change of password, factor, email or role. */
  readonly isRevoked: boolean;
  readonly expiresAtMs: number;
  /** The last use that is stored; other gateways might have a later one. */
  readonly usedAtMs: number;
  /** The session ends after this much time without a request; undefined for no such limit. */
  readonly idleMs: number | undefined;
}

/** When a key or session was last used, in milliseconds since 1970. */
export interface CredentialUse {
  readonly id: number;
  readonly usedAtMs: number;
}

export interface CredentialStore<Caller extends CallerIdentity> {
  /** By public key; unknown ones are left out. `known` gives what an earlier read returned. */
  readKeys(
    publicKeys: readonly string[],
    known: (publicKey: string) => KnownKey<Caller> | undefined,
  ): Promise<ReadonlyMap<string, KnownKey<Caller>>>;
  /** By the SHA-256 of the token in hex; unknown ones are left out. */
  readSessions(tokenHashes: readonly string[]): Promise<ReadonlyMap<string, KnownSession<Caller>>>;
  writeKeyUses(uses: readonly CredentialUse[]): Promise<void>;
  writeSessionUses(uses: readonly CredentialUse[]): Promise<void>;
}
