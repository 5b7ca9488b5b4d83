// Approval requests for one operator: those to decide, their own pending ones, and the actions that
// the page offers. The exchange rejects a vote on an own request, so the page has no button for it.

import type { Approval } from '../../../client/index.ts';
import { may, type Operator } from '../access.ts';

type Voter = Pick<Operator, 'id' | 'permissions' | 'powers'>;

/**
 * Returns pending requests from others, first to expire first; none if the operator cannot vote.
 */
export function toDecide(approvals: readonly Approval[], operator: Voter): readonly Approval[] {
  if (!may(operator, 'vote')) return [];
  return approvals
    .filter(({ requester_id: by, state }) => state === 'pending' && by !== operator.id)
    .toSorted((one, other) => one.expires_at.localeCompare(other.expires_at));
}

/** Returns the operator's own pending requests. */
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
