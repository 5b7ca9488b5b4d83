// Operator's review of a deposit or a withdrawal: one decision, and marks.

import type { BodyOf, Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { RequestMarks } from '../request-lists.ts';

export interface TransactionChange {
  /** Undefined if the review only sets marks. */
  readonly decision: 'complete' | 'dismissed' | 'rejected' | undefined;
  readonly marks: RequestMarks;
}

export function transactionChange(
  body: BodyOf<Routes['reviewWithdrawal']>,
): TransactionChange | Refused<'transaction_change_unclear'> {
  const { description, dismissed, processing, rejected, status, waiting } = body;
  const decisions = [
    ...(status === true ? ['complete' as const] : []),
    ...(dismissed === true ? ['dismissed' as const] : []),
    ...(rejected === true ? ['rejected' as const] : []),
  ];
  if (decisions.length > 1) return new Refused('transaction_change_unclear');
  const transactionId = body.updated_transaction_id ?? body.updated_transactionId;
  const marks = { processing, waiting, description, transactionId, address: body.updated_address };
  return { decision: decisions[0], marks };
}
