// An operator completes a withdrawal with the network's transaction id, dismisses or rejects it, or
// marks it.

import {
  cancelWithdrawalRequest,
  completeWithdrawalRequest,
  markRequest,
} from '../../../domain/transfers/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call } from '../handler.ts';
import { hasMarks, transactionChange } from '../transfers/review-decision.ts';
import { type TransactionDone, transactionDone } from '../transfers/transfer-json.ts';
import {
  awaitOutcome,
  changeRefusal,
  findRequestId,
  readRequestAfterChange,
} from '../transfers/transfer-requests.ts';

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
