// Operator review of a withdrawal on hold: approve, claim before paying, release a claim, complete,
// or end it. Each step is one move in the state machine. Requesting the current state changes
// nothing. An approval is one operator's vote.

import type { UserId } from '../../../core/money/index.ts';
import { type Connection, idOf } from '../../../infra/postgres/index.ts';
import { claimStatement, enqueue, OUTBOX_CHANNELS } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  type ApprovalPower,
  findSharedMark,
  hasPowerForADay,
  holdersOf,
  notIndependent,
} from '../../approvals/index.ts';
import type { PolicyRule } from '../policy/withdrawal-policy.ts';
import { runPolicyAgain } from '../policy/withdrawal-policy-input.ts';
import {
  lockRequest,
  type RequestChange,
  type RequestName,
  type RequestRefusal,
} from '../request-moves.ts';
import { type LockedWithdrawal, moveWithdrawal } from '../withdrawals/cancel-withdrawal.ts';
import { LOST_ADDRESS } from '../withdrawals/requests.ts';
import { WITHDRAWALS } from '../withdrawals/states.ts';

/** The paying operator. */
export interface Payer {
  readonly user: UserId;
  /** Can release or complete a withdrawal claimed by another operator. */
  readonly isAdmin: boolean;
}

/** The approving operator. */
export interface Approver {
  readonly user: UserId;
  /** Proved a second factor for this approval only. An API key has none. */
  readonly isProven: boolean;
  /** An administrator in solo mode, whose approval is enough. */
  readonly isAlone: boolean;
  readonly nowMs: number;
}

export type ReviewRefusal =
  | 'withdrawal_approval_needs_factor'
  /** The role lacks the permission, or has had it for less than a day. */
  | 'vote_not_allowed'
  /** Operators cannot approve withdrawals by members of their account family. */
  | 'withdrawal_of_own_family'
  /** Evidently the same person as the owner or another approver. */
  | 'vote_not_independent'
  /** Another operator must also approve it. */
  | 'withdrawal_already_approved'
  | 'withdrawal_claimed_by_another'
  /** Only the payer of custody knows whether it was paid. */
  | 'withdrawal_claimed_for_custody'
  /** The request keeps its state. */
  | 'withdrawal_refused_by_policy'
  /** `restore reconcile` rebuilt it from the log, which has no addresses. */
  | 'withdrawal_address_lost';

export type Reviewed = RequestChange | Refused<ReviewRefusal>;

/** The payer, and the projected tables' schema for the policy. */
export interface Claim {
  readonly payer: Payer;
  readonly projectionSchema: string;
}

/** Name by ID, because the policy locks the account family before the request. */
interface WithdrawalName {
  readonly id: number;
}

/** Permission needed to approve withdrawals. */
export const APPROVAL_POWER: ApprovalPower = 'approve.money';

/** Records one operator's approval. With the last approval needed, the withdrawal can be paid. */
export function approveIn(
  connection: Connection,
  name: RequestName,
  approver: Approver,
): Promise<Reviewed> {
  return reviewing(connection, name, async (found) => {
    if (found.state !== 'in_review') return unchanged(found);
    const { user } = approver;
    const before = found.row.approved_by.map((id: string) => idOf<UserId>(id)) as UserId[];
    const owner = idOf<UserId>(found.row.user_id);
    const others = before.filter((one) => one !== user);
    const refusal = approver.isAlone
      ? undefined
      : await refuseApprover(connection, approver, { owner, others });
    if (refusal !== undefined) return refusal;
    // A withdrawal returned to review because the engine rejected its release needs one approval.
    const needed = approver.isAlone ? 1 : Math.max(1, Number(found.row.reviews_needed));
    const isAgain = before.includes(user);
    // Approvals from operators who have since lost the permission no longer count.
    const standing = await holdersOf(connection, APPROVAL_POWER, before);
    if (isAgain && standing.length < needed) {
      return new Refused('withdrawal_already_approved');
    }
    const approvedBy = isAgain ? before : [...before, user];
    await connection.query('update withdrawal_requests set approved_by = $2 where id = $1', [
      found.id,
      approvedBy,
    ]);
    if (new Set([...standing, user]).size < needed) return unchanged(found);
    return moveWithdrawal(connection, found, { move: 'approve', by: 'operator' });
  });
}

async function refuseApprover(
  connection: Connection,
  { isProven, nowMs, user }: Approver,
  { others, owner }: { readonly owner: UserId; readonly others: readonly UserId[] },
): Promise<Refused<ReviewRefusal> | undefined> {
  if (!isProven) return new Refused('withdrawal_approval_needs_factor');
  const own = await findSharedMark(connection, user, [owner]);
  if (own === 'same_user' || own === 'family') {
    return new Refused('withdrawal_of_own_family');
  }
  if (!(await hasPowerForADay(connection, { user, power: APPROVAL_POWER, nowMs }))) {
    return new Refused('vote_not_allowed', { power: APPROVAL_POWER });
  }
  const mark = own ?? (await findSharedMark(connection, user, others));
  return mark && notIndependent(mark);
}

/** Claims a withdrawal before payment. After that it cannot be canceled. */
export function claimIn(
  connection: Connection,
  name: WithdrawalName,
  { payer, projectionSchema }: Claim,
): Promise<Reviewed> {
  return claiming(connection, { ...name, projectionSchema }, async (found, rule) => {
    if (found.state !== 'claimed') {
      const claimed = await claim(connection, found, payer, rule);
      return claimed instanceof Refused ? claimed : stateClaim(connection, found);
    }
    const refusal = refuseClaimed(found, { ...payer, isAdmin: false });
    return refusal ?? stateClaim(connection, found);
  });
}

/** The claim is granted once it is in the log, because a restored registry forgets it. */
async function stateClaim(connection: Connection, { id }: LockedWithdrawal): Promise<Reviewed> {
  const channel = OUTBOX_CHANNELS.registry;
  const position = await enqueue(connection, claimStatement(id), { channel });
  return { kind: 'requested', id, position };
}

/** Releases an unpaid withdrawal, which can then be canceled or claimed again. */
export function releaseIn(
  connection: Connection,
  name: RequestName,
  payer: Payer,
): Promise<Reviewed> {
  return reviewing(connection, name, async (found) => {
    if (found.state !== 'claimed') return unchanged(found);
    const refusal = refuseClaimed(found, payer);
    if (refusal !== undefined) return refusal;
    const released = await moveWithdrawal(connection, found, { move: 'release', by: 'payer' });
    await connection.query(
      `update withdrawal_requests set claimed_by = null, claimed_at = null, claimed_for = null
       where id = $1`,
      [found.id],
    );
    return released;
  });
}

/** Marks a withdrawal as paid. Claims it first, with the same checks, if it is unclaimed. */
export function completeIn(
  connection: Connection,
  name: WithdrawalName,
  { payer, projectionSchema, transactionId }: Claim & { readonly transactionId: string },
): Promise<Reviewed> {
  return claiming(connection, { ...name, projectionSchema }, async (found, rule) => {
    let state = found.state;
    const refusal = state === 'claimed' ? refuseClaimed(found, payer) : undefined;
    if (refusal !== undefined) return refusal;
    if (state === 'approved') {
      const claimed = await claim(connection, found, payer, rule);
      if (claimed instanceof Refused) return claimed;
      state = 'claimed';
    }
    return moveWithdrawal(
      connection,
      { ...found, state },
      {
        move: 'complete',
        by: 'operator',
        transactionId,
        command: { kind: 'CompleteWithdrawal', withdrawal: found.id, reference: transactionId },
      },
    );
  });
}

/** Blocks payment until an operator approves it again. Releases the payer's claim first. */
export async function recallIn(
  connection: Connection,
  name: RequestName,
  payer: Payer,
): Promise<Reviewed> {
  const found = await lockUnclaimed(connection, name, payer);
  if (found instanceof Refused) return found;
  if (WITHDRAWALS.implies(found.state, 'waiting')) return unchanged(found);
  return moveWithdrawal(connection, found, { move: 'recall', by: 'operator' });
}

/** Releases the amount on hold. Releases the payer's claim first. */
export async function endIn(
  connection: Connection,
  name: RequestName,
  { as, payer }: { readonly as: 'dismissed' | 'rejected'; readonly payer: Payer },
): Promise<Reviewed> {
  const found = await lockUnclaimed(connection, name, payer);
  if (found instanceof Refused) return found;
  const move = as === 'rejected' ? 'reject' : 'dismiss';
  return moveWithdrawal(connection, found, { move, by: 'operator' });
}

/** A withdrawal that another operator might be paying cannot be ended. */
async function lockUnclaimed(
  connection: Connection,
  name: RequestName,
  payer: Payer,
): Promise<LockedWithdrawal | Refused<RequestRefusal | ReviewRefusal>> {
  const released = await releaseIn(connection, name, payer);
  return released instanceof Refused ? released : lockRequest(connection, WITHDRAWALS, name);
}

async function claim(
  connection: Connection,
  found: LockedWithdrawal,
  { user }: Payer,
  rule: PolicyRule | undefined,
): Promise<Reviewed> {
  if (found.state === 'approved' && rule !== undefined) {
    return new Refused('withdrawal_refused_by_policy', { rule });
  }
  if (found.row.address === LOST_ADDRESS) return new Refused('withdrawal_address_lost');
  const claimed = await moveWithdrawal(connection, found, { move: 'claim', by: 'payer' });
  if (claimed instanceof Refused) return claimed;
  await connection.query(
    `update withdrawal_requests set claimed_by = $2, claimed_at = now(), claimed_for = 'operator'
     where id = $1`,
    [found.id, user],
  );
  return claimed;
}

/** Runs the policy again and returns the rejecting rule, if any. */
async function claiming(
  connection: Connection,
  { id, projectionSchema }: WithdrawalName & Pick<Claim, 'projectionSchema'>,
  review: (found: LockedWithdrawal, rule: PolicyRule | undefined) => Promise<Reviewed>,
): Promise<Reviewed> {
  const decision = await runPolicyAgain(connection, { id, projectionSchema });
  const found = await lockRequest(connection, WITHDRAWALS, { id });
  if (found instanceof Refused) return found;
  const verdict = decision?.verdict;
  return review(found, verdict?.kind === 'refuse' ? verdict.rule : undefined);
}

async function reviewing(
  connection: Connection,
  name: RequestName,
  review: (found: LockedWithdrawal) => Promise<Reviewed>,
): Promise<Reviewed> {
  const found = await lockRequest(connection, WITHDRAWALS, name);
  return found instanceof Refused ? found : review(found);
}

/**
 * No operator ends a claim of custody, not even an administrator: it might have been paid. Claims
 * made by an older release have no operator.
 */
function refuseClaimed(
  { row }: LockedWithdrawal,
  { isAdmin, user }: Payer,
): Refused<ReviewRefusal> | undefined {
  if (row.claimed_for === 'custody') return new Refused('withdrawal_claimed_for_custody');
  const isAnother = !isAdmin && row.claimed_by !== null && Number(row.claimed_by) !== user;
  return isAnother ? new Refused('withdrawal_claimed_by_another') : undefined;
}

function unchanged({ id }: LockedWithdrawal): RequestChange {
  return { kind: 'moved', id };
}
