// Requests for approval as an operator sees them: which to decide, which wait, and which acts the
// page may offer. The exchange refuses a vote on an own request; the page has no button for it.

import type { Approval } from '../../../client/index.ts';
import { may, type Operator } from '../access.ts';

type Voter = Pick<Operator, 'id' | 'permissions' | 'powers'>;

/** Requests of other people that still wait, if the operator votes at all; the first to expire. */
export function toDecide(approvals: readonly Approval[], operator: Voter): readonly Approval[] {
  if (!may(operator, 'vote')) return [];
  return approvals
    .filter(({ requester_id: by, state }) => state === 'pending' && by !== operator.id)
    .toSorted((one, other) => one.expires_at.localeCompare(other.expires_at));
}

/** Own requests that still wait. */
export function mineWaiting(approvals: readonly Approval[], operator: Voter): readonly Approval[] {
  return approvals.filter(
    ({ requester_id: by, state }) => state === 'pending' && by === operator.id,
  );
}

export type ApprovalAct = 'vote' | 'take-back' | 'none';

export function actOn(approval: Approval, operator: Voter): ApprovalAct {
  if (approval.state !== 'pending') return 'none';
  if (approval.requester_id === operator.id) {
    return may(operator, 'takeBack') ? 'take-back' : 'none';
  }
  return may(operator, 'vote') ? 'vote' : 'none';
}
