// An operator reviews a withdrawal: approves it, claims it, gives a claim back, completes or ends
// it. How many people must approve it was decided at the request, and each does so in person.

import { type ActContext, ActRefused, defineActInTwoSteps } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { lockFamily } from '../family.ts';
import { markRequest } from '../request-lists.ts';
import type { RequestRefusal } from '../request-moves.ts';
import { WITHDRAWALS } from '../withdrawals/states.ts';
import { type Asked, type AskedRequest, askedAt, personalOf } from './money-terms.ts';
import { readRow, setMail } from './review-deposit.ts';
import {
  APPROVAL_POWER,
  approveIn,
  claimIn,
  completeIn,
  endIn,
  type Reviewed,
  releaseIn,
} from './withdrawal-review.ts';

export type ReviewStep = 'approve' | 'claim' | 'release' | 'complete' | 'dismissed' | 'rejected';

export interface ReviewWithdrawalPayload extends JsonObject {
  readonly id: number;
  /** In this order. */
  readonly steps: readonly ReviewStep[];
  /** Of the payment, for a completion, or to be noted. Null keeps what the withdrawal has. */
  readonly transaction_id: string | null;
  /** Refused unless it waits: no step leads back to a review. */
  readonly must_wait: boolean;
  readonly description: string | null;
  readonly email: boolean | null;
}

const ADMIN = 'admin';

export const reviewWithdrawalAct = defineActInTwoSteps<ReviewWithdrawalPayload, AskedRequest>({
  name: 'withdrawal.review',
  votePower: 'approve.money',
  personal: ['description'],

  async assess(context, { id, steps }) {
    const row = await readRow(context, 'withdrawal_requests', id);
    if (row === undefined) throw refusalOf({ kind: 'refused', refusal: 'request_must_exist' });
    return {
      object: `withdrawal ${id}`,
      objectVersion: row.version,
      approvals: 0,
      beneficiaries: [],
      shown: [
        { label: 'Withdrawal', value: `${row.amount} ${row.currency}` },
        { label: 'Of user', value: `${row.user}` },
        { label: 'Steps', value: steps.join(', ') },
      ],
    };
  },

  async execute(context, payload) {
    const { connection } = context;
    const { description, id, steps, transaction_id } = payload;
    const before = await readRow(context, 'withdrawal_requests', id);
    if (before === undefined) throw refusalOf({ kind: 'refused', refusal: 'request_must_exist' });
    // The policy takes this lock too, and it comes before that of the request.
    await lockFamily(connection, before.user);
    await setMail(context, 'withdrawal_requests', payload);
    if (payload.must_wait) await requireWaiting(context, id);
    if (description !== null) await note(context, id, { description });
    const transactionId = transaction_id ?? before.transactionId;
    let asked: Asked | null = null;
    for (const step of steps) {
      const taken = await take(context, step, { id, transactionId });
      if (taken.kind === 'refused') throw refusalOf(taken);
      if (taken.kind === 'requested') asked = askedAt(taken.position);
    }
    const isDecided = steps.some((step) => DECISIONS.has(step));
    if (!isDecided && transaction_id !== null) await note(context, id, { transactionId });
    const after = await readRow(context, 'withdrawal_requests', id);
    return {
      result: { id, asked },
      subject: before.user,
      before: { state: before.state, transaction_id: before.transactionId },
      after: { steps, state: after?.state ?? '', transaction_id: after?.transactionId ?? '' },
      ...personalOf({ description }),
      effects: { dispatcher: true },
    };
  },
});

const DECISIONS: ReadonlySet<ReviewStep> = new Set(['complete', 'dismissed', 'rejected']);

interface StepTerms {
  readonly id: number;
  readonly transactionId: string;
}

function take(
  { connection, exchange, isProven = false, nowMs, operator: { role, user } }: ActContext,
  step: ReviewStep,
  { id, transactionId }: StepTerms,
): Promise<Reviewed> {
  const operator = { user, isAdmin: role === ADMIN };
  const claim = { operator, projectionSchema: exchange.projectionSchema };
  switch (step) {
    case 'approve':
      return approveIn(connection, { id }, { user, isProven, nowMs });
    case 'claim':
      return claimIn(connection, { id }, claim);
    case 'release':
      return releaseIn(connection, { id }, operator);
    case 'complete':
      return completeIn(connection, { id }, { ...claim, transactionId });
    case 'dismissed':
    case 'rejected':
      return endIn(connection, { id }, step);
  }
}

async function note(
  { connection }: ActContext,
  id: number,
  what: { readonly description?: string; readonly transactionId?: string },
): Promise<void> {
  const marked = await markRequest(connection, { type: 'withdrawal', id }, what);
  if (marked !== 'marked') throw refusalOf({ kind: 'refused', refusal: marked });
}

async function requireWaiting({ connection }: ActContext, id: number): Promise<void> {
  const { rows } = await connection.query(
    `select state = any($2) as waits from withdrawal_requests where id = $1`,
    [id, WITHDRAWALS.statesWith('waiting')],
  );
  if (rows[0]?.waits === true) return;
  throw refusalOf({ kind: 'refused', refusal: 'request_is_under_way' });
}

function refusalOf(refused: Extract<Reviewed, { kind: 'refused' }>): ActRefused {
  const { refusal } = refused;
  switch (refusal) {
    case 'refused_by_policy':
      return new ActRefused('withdrawal_refused_by_policy', { rule: refused.rule });
    case 'approval_needs_factor':
      return new ActRefused('withdrawal_approval_needs_factor');
    case 'approval_needs_power':
      return new ActRefused('vote_not_allowed', { power: APPROVAL_POWER });
    case 'approval_not_independent':
      return new ActRefused('vote_not_independent', { mark: refused.mark });
    case 'approval_of_own_family':
      return new ActRefused('withdrawal_of_own_family');
    case 'already_approved':
      return new ActRefused('withdrawal_already_approved');
    case 'claimed_by_another':
      return new ActRefused('withdrawal_claimed_by_another');
    default:
      return new ActRefused(ERRORS[refusal]);
  }
}

const ERRORS: Readonly<Record<RequestRefusal, string>> = {
  request_must_exist: 'withdrawal_not_found',
  several_requests_have_this_transaction: 'transaction_id_ambiguous',
  transaction_already_credited: 'transaction_id_used',
  request_is_under_way: 'withdrawal_under_way',
  request_has_ended: 'withdrawal_under_way',
};
