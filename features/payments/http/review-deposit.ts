// Operator handler that completes, dismisses or rejects a pending deposit, credits a failed one
// again, or marks one. Large credits need approval from another operator.

import type { Call, Dependencies } from '../../../platform/http/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct } from '../../approvals/http/index.ts';
import { reviewDepositAct } from '../admin/review-deposit.ts';
import { transactionOf } from './credit-deposit.ts';
import { transactionChange } from './review-decision.ts';
import { awaitTransferOutcome, findRequestId } from './transfer-requests.ts';

export async function reviewDeposit(
  call: Call<Routes['reviewDeposit']>,
  dependencies: Dependencies,
) {
  const { body } = call;
  const change = transactionChange(body);
  if (change instanceof Refused) return change;
  const { decision = null, marks } = change;
  const { address = null, description = null, processing = null, waiting = null } = marks;
  const transactionId = transactionOf(marks.transactionId);
  if (transactionId instanceof Refused) return transactionId;
  const id = await findRequestId(dependencies, {
    type: 'deposit',
    transactionId: body.transaction_id,
    id: body.id,
  });
  if (id instanceof Refused) return id;
  const payload = {
    id,
    decision,
    transaction_id: transactionId ?? null,
    output: body.output === undefined ? null : `${body.output}`,
    address,
    description,
    processing,
    waiting,
    email: body.email ?? null,
  };
  return answerAct(call, dependencies, reviewDepositAct, payload, (asked) =>
    awaitTransferOutcome(call, dependencies, 'deposit', asked),
  );
}
