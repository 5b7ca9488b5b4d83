// Operator review of a withdrawal: approve, claim, release the claim, complete, or end it. The
// number of required approvals was decided at the request, and each one needs a login session. In
// solo mode, an administrator approves alone, including the payment.

import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, actsAlone, defineAct } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { lockFamily } from '../family.ts';
import { markRequest } from '../request-lists.ts';
import { WITHDRAWALS } from '../withdrawals/states.ts';
import { type OutboxRef, outboxRef, personalOf, type RequestRef } from './money-terms.ts';
import { readRow, setMail } from './review-deposit.ts';
import {
  approveIn,
  claimIn,
  completeIn,
  endIn,
  type Reviewed,
  recallIn,
  releaseIn,
} from './withdrawal-review.ts';

export type ReviewStep =
  | 'approve'
  | 'recall'
  | 'claim'
  | 'release'
  | 'complete'
  | 'dismissed'
  | 'rejected';

export interface ReviewWithdrawalPayload extends JsonObject {
  readonly id: number;
  /** Executed in this order. */
  readonly steps: readonly ReviewStep[];
  /** Transaction of the payment, for a completion or as a note. Null keeps the current value. */
  readonly transaction_id: string | null;
  /** Only for a burn, which is the operator's own record. */
  readonly address: string | null;
  readonly description: string | null;
  readonly email: boolean | null;
}

const ADMIN = 'admin';

export const reviewWithdrawalAct = defineAct({
  name: 'withdrawal.review',
  votePower: 'approve.money',
  personal: ['address', 'description'],

  async prepare(context: ActContext, payload: ReviewWithdrawalPayload) {
    const { address, description, id, steps } = payload;
    const row = await readRow(context, 'withdrawal_requests', id);
    if (row === undefined) return new Refused(WITHDRAWALS.refusals.missing);
    const { state, transactionId, user } = row;
    // The policy takes this lock too, always before the lock on the request.
    await lockFamily(context.connection, user);
    // The owner has confirmed this withdrawal, so it is paid as confirmed or not at all.
    if (address !== null && row.kind !== 'burn') return new Refused('withdrawal_terms_fixed');
    return {
      object: `withdrawal ${id}`,
      objectVersion: row.version,
      approvals: 0,
      beneficiaries: [],
      shown: [
        { label: 'Withdrawal', value: `${row.amount} ${row.currency}` },
        { label: 'User', value: `${user}` },
        { label: 'Steps', value: steps.join(', ') },
      ],

      async run() {
        const asked = await review(context, payload, transactionId);
        if (asked instanceof Refused) return asked;
        const after = await readRow(context, 'withdrawal_requests', id);
        const result: RequestRef = { id, asked };
        return {
          result,
          subject: user,
          before: { state, transaction_id: transactionId },
          after: { steps, state: after?.state ?? '', transaction_id: after?.transactionId ?? '' },
          ...personalOf({ address, description }),
          effects: { dispatcher: true },
        };
      },
    };
  },
});

/** Executes all steps or none: a rejection rolls back the transaction. */
async function review(
  context: ActContext,
  payload: ReviewWithdrawalPayload,
  currentTransactionId: string,
) {
  const { connection } = context;
  const { address, description, id, steps, transaction_id } = payload;
  const name = { type: 'withdrawal', id } as const;
  await setMail(context, 'withdrawal_requests', payload);
  if (address !== null || description !== null) {
    const notes = { address: address ?? undefined, description: description ?? undefined };
    const marked = await markRequest(connection, name, notes);
    if (marked instanceof Refused) return marked;
  }
  const transactionId = transaction_id ?? currentTransactionId;
  let asked: OutboxRef | null = null;
  for (const step of steps) {
    const taken = await take(context, step, { id, transactionId });
    if (taken instanceof Refused) return taken;
    if (taken.kind === 'requested') asked = outboxRef(taken.position);
  }
  const isDecided = steps.some((step) => DECISIONS.has(step));
  if (!isDecided && transaction_id !== null) {
    const marked = await markRequest(connection, name, { transactionId });
    if (marked instanceof Refused) return marked;
  }
  return asked;
}

const DECISIONS: ReadonlySet<ReviewStep> = new Set(['complete', 'dismissed', 'rejected']);

const PAYMENTS: ReadonlySet<ReviewStep> = new Set(['claim', 'complete']);

interface StepTerms {
  readonly id: number;
  readonly transactionId: string;
}

async function take(
  { connection, exchange, isProven = false, nowMs, operator }: ActContext,
  step: ReviewStep,
  { id, transactionId }: StepTerms,
): Promise<Reviewed> {
  const { role, user } = operator;
  const payer = { user, isAdmin: role === ADMIN };
  const claim = { payer, projectionSchema: exchange.projectionSchema };
  const isAlone = await actsAlone(connection, operator);
  if (step === 'approve' || (isAlone && PAYMENTS.has(step))) {
    const approved = await approveIn(connection, { id }, { user, isProven, isAlone, nowMs });
    if (step === 'approve' || approved instanceof Refused) return approved;
  }
  switch (step) {
    case 'recall':
      return recallIn(connection, { id }, payer);
    case 'claim':
      return claimIn(connection, { id }, claim);
    case 'release':
      return releaseIn(connection, { id }, payer);
    case 'complete':
      return completeIn(connection, { id }, { ...claim, transactionId });
    case 'dismissed':
    case 'rejected':
      return endIn(connection, { id }, { as: step, payer });
  }
}
