// An operator completes, dismisses or rejects a pending deposit, or marks it.

import {
  cancelDepositRequest,
  completeDepositRequest,
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

export async function reviewDeposit(
  { body }: Call<Routes['reviewDeposit']>,
  dependencies: Dependencies,
): Promise<TransactionDone> {
  const { decision, marks } = transactionChange(body);
  const id = await findRequestId(dependencies, {
    type: 'deposit',
    transactionId: body.transaction_id,
  });
  if (hasMarks(marks)) {
    const marked = await markRequest(dependencies.registry, { type: 'deposit', id }, marks);
    if (marked !== 'marked') throw changeRefusal('deposit', marked);
  }
  if (decision !== undefined) await decide(decision);
  const row = await readRequestAfterChange(dependencies, { type: 'deposit', id });
  return transactionDone(row, dependencies.exchange.name);

  async function decide(what: 'complete' | 'dismissed' | 'rejected'): Promise<void> {
    const changed = await withConnection(dependencies.registry, (session) =>
      what === 'complete'
        ? completeDepositRequest(session, { id })
        : cancelDepositRequest(session, { id }, what),
    );
    if (changed.kind === 'refused') throw changeRefusal('deposit', changed.refusal);
    if (changed.kind === 'requested') await awaitOutcome(dependencies, changed.position);
  }
}
