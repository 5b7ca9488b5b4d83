// An operator completes a withdrawal with the id that the network gave it, dismisses or rejects
// it, or notes something about it.

import {
  cancelWithdrawalRequest,
  completeWithdrawalRequest,
  markRequest,
} from '../../../domain/transfers/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import type { Call } from '../handler.ts';
import { changeRefusal } from '../money/change-refusal.ts';
import { findRequestId } from '../money/find-request-id.ts';
import { type TransactionDone, transactionDone } from '../money/request-json.ts';
import { settleRequest } from '../money/settle-request.ts';
import { tellRequest } from '../money/tell-request.ts';
import { hasMarks, transactionChange } from '../money/transaction-change.ts';
import type { Parts } from '../parts.ts';

export async function changeBurn(
  { body }: Call<Routes['changeBurn']>,
  parts: Parts,
): Promise<TransactionDone> {
  const { decision, marks } = transactionChange(body);
  const id = await findRequestId(parts, { type: 'withdrawal', transactionId: body.transaction_id });
  const { transactionId = body.transaction_id, ...notes } = marks;
  if (hasMarks(notes)) await note();
  if (decision !== undefined) await decide();
  else if (marks.transactionId !== undefined) await note({ transactionId });
  const row = await tellRequest(parts, { type: 'withdrawal', id });
  return transactionDone(row, parts.exchange.name);

  async function note(what: Parameters<typeof markRequest>[2] = notes): Promise<void> {
    const marked = await markRequest(parts.registry, { type: 'withdrawal', id }, what);
    if (marked !== 'marked') throw changeRefusal('withdrawal', marked);
  }

  async function decide(): Promise<void> {
    const changed = await withConnection(parts.registry, (session) =>
      decision === 'complete'
        ? completeWithdrawalRequest(session, { id }, transactionId)
        : cancelWithdrawalRequest(session, { id }, { operator: true, as: decision ?? 'rejected' }),
    );
    if (changed.kind === 'refused') throw changeRefusal('withdrawal', changed.refusal);
    await settleRequest(parts, changed.position);
  }
}
