// An operator approves a withdrawal, claims it before paying it, completes it with the network's
// transaction id, dismisses or rejects it, or writes a note. Each flag of the body asks for a
// state: `waiting: false` approves, `processing` claims or releases.

import { findRequest, markRequest } from '../../../domain/transfers/index.ts';
import {
  approveWithdrawal,
  type Claim,
  claimWithdrawal,
  completeWithdrawal,
  endWithdrawal,
  type Reviewed,
  type ReviewRefusal,
  releaseWithdrawal,
} from '../../../domain/withdrawals/index.ts';
import { type Connection, withConnection } from '../../../infra/postgres/index.ts';
import type { BodyOf, ErrorKey, Routes } from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call } from '../handler.ts';
import { type TransactionChange, transactionChange } from '../transfers/review-decision.ts';
import { type TransactionDone, transactionDone } from '../transfers/transfer-json.ts';
import {
  awaitOutcome,
  changeRefusal,
  findRequestId,
  readRequestAfterChange,
} from '../transfers/transfer-requests.ts';

const ADMIN = 'admin';

export async function reviewWithdrawal(
  { body, caller }: Call<Routes['reviewWithdrawal']>,
  dependencies: Dependencies,
): Promise<TransactionDone> {
  const { decision, marks } = transactionChange(body);
  // The owner has confirmed it: what they agreed to is paid, or nothing.
  if (marks.address !== undefined) throw new ApiRefusal('withdrawal_terms_fixed');
  const id = await findRequestId(dependencies, {
    type: 'withdrawal',
    transactionId: body.transaction_id,
    id: body.id,
  });
  const { projectionSchema } = dependencies.exchange;
  const operator = { user: caller.user, isAdmin: caller.role === ADMIN };
  const { description, transactionId = body.transaction_id } = marks;
  if (body.waiting === true) await requireWaiting();
  if (description !== undefined) await note({ description });
  for (const step of stepsOf(body, decision)) await take(step);
  if (decision === undefined && marks.transactionId !== undefined) await note({ transactionId });
  const row = await readRequestAfterChange(dependencies, { type: 'withdrawal', id });
  return transactionDone(row, dependencies.exchange.name);

  async function note(what: Parameters<typeof markRequest>[2]): Promise<void> {
    const marked = await markRequest(dependencies.registry, { type: 'withdrawal', id }, what);
    if (marked !== 'marked') throw changeRefusal('withdrawal', marked);
  }

  /** No move leads back to a review. */
  async function requireWaiting(): Promise<void> {
    const name = { type: 'withdrawal', id } as const;
    const row = await findRequest(dependencies.registry, name, projectionSchema);
    if (row?.waiting !== true) throw changeRefusal('withdrawal', 'request_is_under_way');
  }

  async function take(step: Step): Promise<void> {
    const changed = await withConnection(dependencies.registry, (connection) =>
      STEPS[step](connection, { id, operator, transactionId, projectionSchema }),
    );
    if (changed.kind === 'refused') throw reviewRefusal(changed);
    if (changed.kind === 'requested') await awaitOutcome(dependencies, changed.position);
  }
}

interface StepOptions extends Claim {
  readonly id: number;
  readonly transactionId: string;
}

type Step = 'approve' | 'claim' | 'release' | 'complete' | 'dismissed' | 'rejected';

const STEPS: Record<Step, (connection: Connection, of: StepOptions) => Promise<Reviewed>> = {
  approve: (connection, { id, operator }) => approveWithdrawal(connection, { id }, operator),
  claim: (connection, { id, ...of }) => claimWithdrawal(connection, { id }, of),
  release: (connection, { id, operator }) => releaseWithdrawal(connection, { id }, operator),
  complete: (connection, { id, ...of }) => completeWithdrawal(connection, { id }, of),
  dismissed: (connection, { id }) => endWithdrawal(connection, { id }, 'dismissed'),
  rejected: (connection, { id }) => endWithdrawal(connection, { id }, 'rejected'),
};

/** A decision is the last step; with one, `processing` says nothing more. */
function stepsOf(
  { processing, waiting }: BodyOf<Routes['reviewWithdrawal']>,
  decision: TransactionChange['decision'],
): readonly Step[] {
  if (decision === 'dismissed' || decision === 'rejected') return [decision];
  const approval = waiting === false ? (['approve'] as const) : [];
  if (decision === 'complete') return [...approval, decision];
  if (processing === undefined) return approval;
  return [...approval, processing ? 'claim' : 'release'];
}

const REVIEW_ERRORS = {
  approval_of_own_family: 'withdrawal_of_own_family',
  already_approved: 'withdrawal_already_approved',
  claimed_by_another: 'withdrawal_claimed_by_another',
} as const satisfies Record<ReviewRefusal, ErrorKey>;

function reviewRefusal(refused: Extract<Reviewed, { kind: 'refused' }>): ApiRefusal {
  const { refusal } = refused;
  switch (refusal) {
    case 'refused_by_policy':
      return new ApiRefusal('withdrawal_refused_by_policy', { rule: refused.rule });
    case 'approval_of_own_family':
    case 'already_approved':
    case 'claimed_by_another':
      return new ApiRefusal(REVIEW_ERRORS[refusal]);
    default:
      return changeRefusal('withdrawal', refusal);
  }
}
