// Requests that nobody confirmed in time, and transfers whose recipient never appeared, end.
// Nothing is held for them.

import { type Connection, inTransaction, type Statements } from '../../../infra/postgres/index.ts';
import { OUTBOX_CHANNELS } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { lockRequest, moveRequest } from '../request-moves.ts';
import { WITHDRAWALS, type WithdrawalState } from './states.ts';

/** Without a hold: of an amount that is held, an operator decides. */
const EXPIRING: readonly WithdrawalState[] = ['unconfirmed', 'awaiting_recipient'];

/** The ids of requests whose time is over, the oldest first. */
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

/** False if somebody confirmed, cancelled or ended it meanwhile. */
export function expireWithdrawal(
  connection: Connection,
  { id, nowMs }: { readonly id: number; readonly nowMs: number },
): Promise<boolean> {
  return inTransaction(connection, async () => {
    const found = await lockRequest(connection, WITHDRAWALS, { id });
    if (found instanceof Refused) return false;
    // A confirmation in the meantime gave it more time, or a hold.
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
