// Expires requests that were not confirmed in time and transfers without a recipient. These have
// nothing on hold.

import { type Connection, inTransaction, type Statements } from '../../../infra/postgres/index.ts';
import { OUTBOX_CHANNELS } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { lockRequest, moveRequest } from '../request-moves.ts';
import { WITHDRAWALS, type WithdrawalState } from './states.ts';

/** States without a hold. For an amount on hold, an operator decides. */
const EXPIRING: readonly WithdrawalState[] = ['unconfirmed', 'awaiting_recipient'];

/** Returns the IDs of overdue requests, oldest first. */
export async function listWithdrawalsToExpire(
  statements: Statements,
  { limit, nowMs }: { readonly nowMs: number; readonly limit: number },
): Promise<readonly number[]> {
  const { rows } = await statements.query(
    `select id from withdrawal_requests
     where state in (${EXPIRING.map((state) => `'${state}'`).join(', ')}) and expires_at <= $1
     order by expires_at limit $2`,
    [new Date(nowMs), limit],
  );
  return rows.map(({ id }) => Number(id));
}

/** Returns false if it was confirmed, canceled or ended in the meantime. */
export function expireWithdrawal(
  connection: Connection,
  { id, nowMs }: { readonly id: number; readonly nowMs: number },
): Promise<boolean> {
  return inTransaction(connection, async () => {
    const found = await lockRequest(connection, WITHDRAWALS, { id });
    if (found instanceof Refused) return false;
    // A confirmation in the meantime extended its time or put it on hold.
    if (!EXPIRING.includes(found.state) || found.row.expires_at.getTime() > nowMs) return false;
    const expired = await moveRequest(connection, WITHDRAWALS, found, {
      move: 'expire',
      by: 'clock',
      channel: OUTBOX_CHANNELS.withdrawals,
      command: { kind: 'CancelWithdrawal', withdrawal: id },
    });
    return expired.kind === 'moved';
  });
}
