// An operator completes a withdrawal with the id that the network gave it, dismisses or rejects
// it, or notes something about it.

import {
  cancelWithdrawalRequest,
  completeWithdrawalRequest,
  markRequest,
} from '../../../domain/transfers/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call } from '../handler.ts';
import { changeRefusal } from '../transfers/change-refusal.ts';
import { findRequestId } from '../transfers/find-request-id.ts';
import { hasMarks, transactionChange } from '../transfers/review-decision.ts';
import { awaitOutcome } from '../transfers/settle-request.ts';
import { readRequestAfterChange } from '../transfers/tell-request.ts';
import { type TransactionDone, transactionDone } from '../transfers/transfer-json.ts';

export async function reviewWithdrawal(
  { body }: Call<Routes['reviewWithdrawal']>,
  dependencies: Dependencies,
): Promise<TransactionDone> {
  const { decision, marks } = transactionChange(body);
  const id = await findRequestId(dependencies, {
    type: 'withdrawal',
    transactionId: body.transaction_id,
  });
  const { transactionId = body.transaction_id, ...notes } = marks;
  if (hasMarks(notes)) await note();
  if (decision !== undefined) await decide();
  else if (marks.transactionId !== undefined) await note({ transactionId });
  const row = await readRequestAfterChange(dependencies, { type: 'withdrawal', id });
  return transactionDone(row, dependencies.exchange.name);

  async function note(what: Parameters<typeof markRequest>[2] = notes): Promise<void> {
    const marked = await markRequest(dependencies.registry, { type: 'withdrawal', id }, what);
    if (marked !== 'marked') throw changeRefusal('withdrawal', marked);
  }

  async function decide(): Promise<void> {
    const changed = await withConnection(dependencies.registry, (session) =>
      decision === 'complete'
        ? completeWithdrawalRequest(session, { id }, transactionId)
        : cancelWithdrawalRequest(session, { id }, { operator: true, as: decision ?? 'rejected' }),
    );
    if (changed.kind === 'refused') throw changeRefusal('withdrawal', changed.refusal);
    if (changed.kind === 'requested') await awaitOutcome(dependencies, changed.position);
  }
}
