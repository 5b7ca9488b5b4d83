// Bus messages about changed keys, sessions, users and roles. The writer publishes one after its
// commit; every gateway then drops its cached copies. They hold no secrets.

import type { KeyId, UserId } from '../../core/money/index.ts';
import type { Bus } from '../bus/index.ts';

export interface AccessChange {
  /** The user; 0 for all users, as when a role changes. */
  readonly user: UserId | 0;
  /** The changed key or session; 0 and 0 for all of the user's. */
  readonly key: KeyId | 0;
  readonly session: number;
  /** Whether open connections must be closed. */
  readonly isRevoked: boolean;
}

export interface AccessSubjects {
  readonly changed: string;
  readonly signatures: string;
}

export function accessSubjects(exchange: string): AccessSubjects {
  return {
    changed: `${exchange}.access.changed`,
    signatures: `${exchange}.access.signatures`,
  };
}

export interface AccessChangeFeed {
  announce(change: AccessChange): void;
}

export function accessChangeFeed(bus: Bus, exchange: string): AccessChangeFeed {
  const subject = accessSubjects(exchange).changed;
  return { announce: (change) => bus.publish(subject, Buffer.from(JSON.stringify(change))) };
}

/** A malformed message, perhaps from a later release, counts as a change of everything. */
export function readAccessChange(message: Uint8Array): AccessChange {
  try {
    const { isRevoked, key, session, user } = JSON.parse(Buffer.from(message).toString());
    const isWhole = [user, key, session].every((id) => Number.isSafeInteger(id) && id >= 0);
    if (isWhole && typeof isRevoked === 'boolean') return { user, key, session, isRevoked };
  } catch {}
  return { user: 0, key: 0, session: 0, isRevoked: false };
}
