// An operator completes, dismisses or rejects a pending deposit, credits one that failed again, or
// marks one.

import {
  cancelDepositRequest,
  changeDepositTransaction,
  completeDepositRequest,
  markRequest,
  type RequestChange,
} from '../../../domain/transfers/index.ts';
import { type Connection, withConnection } from '../../../infra/postgres/index.ts';
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
import { transactionOf } from './credit-deposit.ts';

export async function reviewDeposit(
  { body }: Call<Routes['reviewDeposit']>,
  dependencies: Dependencies,
): Promise<TransactionDone> {
  const { decision, marks } = transactionChange(body);
  const id = await findRequestId(dependencies, {
    type: 'deposit',
    transactionId: body.transaction_id,
    id: body.id,
  });
  const { transactionId: given, ...notes } = marks;
  const transactionId = transactionOf(given);
  const output = body.output === undefined ? undefined : `${body.output}`;
  const named = { transactionId, output };
  if (decision !== 'complete' && hasMarks(notes)) {
    const marked = await markRequest(dependencies.registry, { type: 'deposit', id }, notes);
    if (marked !== 'marked') throw changeRefusal('deposit', marked);
  }
  if (decision !== 'complete' && (transactionId !== undefined || output !== undefined)) {
    await change((session) => changeDepositTransaction(session, { id }, named));
  }
  if (decision === 'complete') {
    const { address, description } = notes;
    const completion = { ...named, address, description };
    await change((session) => completeDepositRequest(session, { id }, completion));
  } else if (decision !== undefined) {
    await change((session) => cancelDepositRequest(session, { id }, decision));
  }
  const row = await readRequestAfterChange(dependencies, { type: 'deposit', id });
  return transactionDone(row, dependencies.exchange.name);

  async function change(move: (session: Connection) => Promise<RequestChange>): Promise<void> {
    const changed = await withConnection(dependencies.registry, move);
    if (changed.kind === 'refused') throw changeRefusal('deposit', changed.refusal);
    if (changed.kind === 'requested') await awaitOutcome(dependencies, changed.position);
  }
}
