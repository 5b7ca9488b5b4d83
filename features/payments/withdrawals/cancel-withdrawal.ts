// Moves of a withdrawal on hold, including cancellation by its user.

import type { UserId } from '../../../core/money/index.ts';
import { type Connection, inTransaction } from '../../../infra/postgres/index.ts';
import { OUTBOX_CHANNELS, type OutboxCommand } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  type LockedRequest,
  lockRequest,
  moveRequest,
  type RequestChange,
  type RequestName,
} from '../request-moves.ts';
import { WITHDRAWALS, type WithdrawalMove, type WithdrawalState } from './states.ts';

export type LockedWithdrawal = LockedRequest<WithdrawalState>;

/** Cancels an unclaimed withdrawal for its user. Other users' requests count as missing. */
export function cancelUnclaimedWithdrawal(
  connection: Connection,
  name: RequestName,
  user: UserId,
): Promise<RequestChange> {
  return inTransaction(connection, () => cancelIn(connection, name, user));
}

/** Same as `cancelUnclaimedWithdrawal`, in the caller's transaction. */
export async function cancelIn(
  connection: Connection,
  name: RequestName,
  user: UserId,
): Promise<RequestChange> {
  const found = await lockRequest(connection, WITHDRAWALS, name, user);
  if (found instanceof Refused) return found;
  return moveWithdrawal(connection, found, { move: 'cancel', by: 'user' });
}

interface Step {
  readonly move: WithdrawalMove;
  readonly by: 'user' | 'operator' | 'payer';
  readonly transactionId?: string;
  /** Defaults to a release of the amount. */
  readonly command?: OutboxCommand;
}

export function moveWithdrawal(
  connection: Connection,
  found: LockedWithdrawal,
  { command = { kind: 'CancelWithdrawal', withdrawal: found.id }, ...step }: Step,
): Promise<RequestChange> {
  const channel = OUTBOX_CHANNELS.withdrawals;
  return moveRequest(connection, WITHDRAWALS, found, { ...step, channel, command });
}
