// What Access needs from whoever owns keys and sessions: read them by name, record their use, hear
// that they changed. Knows no tables and no roles; a caller is whatever the owner makes of it.

import type { KeyObject } from 'node:crypto';
import type { KeyId, UserId } from '../../core/money/index.ts';
import type { AddressList } from './address-list.ts';

/** The part of a caller that Access itself reads. */
export interface CallerIdentity {
  readonly user: UserId;
  /** 0 for a session. */
  readonly key: KeyId;
  readonly isActivated: boolean;
}

/** A key as the cache holds it: whom it authenticates and how its signatures are verified. */
export interface KnownKey<Caller extends CallerIdentity> {
  readonly id: number;
  readonly user: UserId;
  readonly caller: Caller;
  readonly kind: 'hmac' | 'ed25519';
  /** The secret, or the verifying key. Undefined if its seal is broken; nothing verifies then. */
  readonly verifying: KeyObject | undefined;
  /** Undefined if every address may use the key. */
  readonly addresses: AddressList | undefined;
  readonly isActive: boolean;
  readonly expiresAtMs: number;
}

export interface KnownSession<Caller extends CallerIdentity> {
  readonly id: number;
  readonly user: UserId;
  readonly caller: Caller;
  readonly isRevoked: boolean;
  readonly expiresAtMs: number;
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
