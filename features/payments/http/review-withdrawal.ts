// Operator handler that approves, claims, completes or ends a withdrawal. The wire flags become
// steps, which are executed together or not at all.

import type { Call, Dependencies } from '../../../platform/http/index.ts';
import type { BodyOf, Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct, answerActInPerson } from '../../approvals/http/index.ts';
import type { RequestRef } from '../admin/money-terms.ts';
import { type ReviewStep, reviewWithdrawalAct } from '../admin/review-withdrawal.ts';
import { type TransactionChange, transactionChange } from './review-decision.ts';
import { awaitTransferOutcome, findRequestId } from './transfer-requests.ts';

export async function reviewWithdrawal(
  call: Call<Routes['reviewWithdrawal']>,
  dependencies: Dependencies,
) {
  const { body } = call;
  const change = transactionChange(body);
  if (change instanceof Refused) return change;
  const { decision, marks } = change;
  const id = await findRequestId(dependencies, {
    type: 'withdrawal',
    transactionId: body.transaction_id,
    id: body.id,
  });
  if (id instanceof Refused) return id;
  const payload = {
    id,
    steps: stepsOf(body, decision),
    transaction_id: marks.transactionId ?? null,
    address: marks.address ?? null,
    description: marks.description ?? null,
    email: body.email ?? null,
  };
  const act = reviewWithdrawalAct;
  const answerOf = (asked: RequestRef) =>
    awaitTransferOutcome(call, dependencies, 'withdrawal', asked, call.caller.user);
  const { otp_code: otpCode } = body;
  return otpCode === undefined
    ? answerAct(call, dependencies, act, payload, answerOf)
    : answerActInPerson(call, dependencies, { act, payload, otpCode }, answerOf);
}

/** A decision is the last step; with one, `processing` and `waiting: true` add nothing. */
function stepsOf(
  { processing, waiting }: BodyOf<Routes['reviewWithdrawal']>,
  decision: TransactionChange['decision'],
): readonly ReviewStep[] {
  if (decision === 'dismissed' || decision === 'rejected') return [decision];
  const approval = waiting === false ? (['approve'] as const) : [];
  if (decision === 'complete') return [...approval, decision];
  if (waiting === true) return ['recall'];
  if (processing === undefined) return approval;
  return [...approval, processing ? 'claim' : 'release'];
}
