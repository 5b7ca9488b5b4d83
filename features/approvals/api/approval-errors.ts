// Errors for approvals and actions that need them.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const approvalErrors = {
  approval_not_found: {
    status: 404,
    code: 2600,
    audience: 'operators',
    text: 'Approval request not found',
  },
  approval_ended: {
    status: 400,
    code: 2601,
    audience: 'operators',
    text: 'This request is {state} and no longer accepts votes',
  },
  approval_changed: {
    status: 400,
    code: 2602,
    audience: 'operators',
    text: 'The request has changed since you read it. Read it again before voting',
  },
  vote_not_allowed: {
    status: 403,
    code: 2604,
    audience: 'operators',
    text: 'Voting requires a role with the {power} permission, held for at least 24 hours',
  },
  vote_not_independent: {
    status: 403,
    code: 2605,
    audience: 'operators',
    text: 'You cannot vote: same {mark} as the requester, a beneficiary or another approver',
  },
  voted_already: {
    status: 400,
    code: 2606,
    audience: 'operators',
    text: 'You have already voted on this request',
  },
  retype_differs: {
    status: 400,
    code: 2607,
    audience: 'operators',
    text: 'The retyped amount does not match. Enter the amount and unit, for example `10 btc`',
  },
  power_missing: {
    status: 403,
    code: 2609,
    audience: 'operators',
    text: 'Your role does not have the {power} permission',
  },
  approval_pending: {
    status: 409,
    code: 2610,
    audience: 'programs',
    text: 'Pending approval {approval_id}. Nothing has changed yet',
    fields: ['approval_id'],
  },
  key_daily_limit: {
    status: 403,
    code: 2611,
    audience: 'operators',
    text: 'This API key can move at most {limit} per 24 hours',
  },
  vote_needs_administrator: {
    status: 403,
    code: 2612,
    audience: 'operators',
    text: 'In solo mode, only administrators can approve or reject requests',
  },
  key_grant_key_unknown: {
    status: 404,
    code: 2613,
    audience: 'operators',
    text: 'No operator has an active API key with this ID',
  },
} as const satisfies ErrorTable;
