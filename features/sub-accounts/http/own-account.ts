// Steps that the routes of sub-accounts and of shared accounts have in common.

import type { UserId } from '../../../core/money/index.ts';
import type { Dependencies } from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { Caller } from '../../auth/index.ts';

/** Sub-accounts have neither sub-accounts nor guests, and guests see nothing of their host's. */
export function requireOwnAccount({ isSubAccount, sessionKind }: Caller) {
  const isOwn = !isSubAccount && (sessionKind === undefined || sessionKind === 'login');
  return isOwn ? undefined : new Refused('sub_account_not_allowed');
}

/** Gateways drop these sessions and close their sockets. */
export function announceEnded(
  changes: Dependencies['changes'],
  user: UserId,
  sessions: readonly number[],
): void {
  for (const session of sessions) changes.announce({ user, key: 0, session, isRevoked: true });
}
