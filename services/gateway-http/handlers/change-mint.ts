// An operator completes, dismisses or rejects a deposit that waits, or notes something about it.

import {
  cancelDepositRequest,
  completeDepositRequest,
  type DepositCanceled,
  markRequest,
  type RequestChange,
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

export async function changeMint(
  { body }: Call<Routes['changeMint']>,
  parts: Parts,
): Promise<TransactionDone> {
  const { decision, marks } = transactionChange(body);
  const id = await findRequestId(parts, { type: 'deposit', transactionId: body.transaction_id });
  if (hasMarks(marks)) {
    const marked = await markRequest(parts.registry, { type: 'deposit', id }, marks);
    if (marked !== 'marked') throw changeRefusal('deposit', marked);
  }
  if (decision !== undefined) await decide(decision);
  const row = await tellRequest(parts, { type: 'deposit', id });
  return transactionDone(row, parts.exchange.name);

  async function decide(what: 'complete' | 'dismissed' | 'rejected'): Promise<void> {
    const changed = await withConnection<DepositCanceled | RequestChange>(
      parts.registry,
      (session) =>
        what === 'complete'
          ? completeDepositRequest(session, { id })
          : cancelDepositRequest(session, { id }, what),
    );
    if (changed.kind === 'refused') throw changeRefusal('deposit', changed.refusal);
    if (changed.kind === 'requested') await settleRequest(parts, changed.position);
  }
}
