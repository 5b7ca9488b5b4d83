// What is said on the bus when a key, a session, a user or a role has changed. Whoever changes one
// says so after the commit; every gateway then forgets what it knew. Holds no secret.

import type { KeyId, UserId } from '../../core/money/index.ts';
import type { Bus } from '../bus/index.ts';

export interface AccessChange {
  /** Whose; 0 for everybody's, as when a role changes. */
  readonly user: UserId | 0;
  /** Which key or session it was about; 0 and 0 for all of the user's. */
  readonly key: KeyId | 0;
  readonly session: number;
  /** Whether what was open under it has to end. */
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

/** A message that is not understood, perhaps of a later release, is a change of everything. */
export function readAccessChange(message: Uint8Array): AccessChange {
  try {
    const { isRevoked, key, session, user } = JSON.parse(Buffer.from(message).toString());
    const isWhole = [user, key, session].every((id) => Number.isSafeInteger(id) && id >= 0);
    if (isWhole && typeof isRevoked === 'boolean') return { user, key, session, isRevoked };
  } catch {}
  return { user: 0, key: 0, session: 0, isRevoked: false };
}
