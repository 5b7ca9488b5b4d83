// Errors of approvals, and of acts that need them.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const approvalErrors = {
  approval_not_found: {
    status: 404,
    code: 2600,
    audience: 'operators',
    text: 'No such request for approval',
  },
  approval_ended: {
    status: 400,
    code: 2601,
    audience: 'operators',
    text: 'This request is {state}: votes no longer count',
  },
  approval_changed: {
    status: 400,
    code: 2602,
    audience: 'operators',
    text: 'The vote is for another payload: read the request again',
  },
  vote_not_allowed: {
    status: 403,
    code: 2604,
    audience: 'operators',
    text: 'A vote needs a role with the power {power}, held for at least 24 hours',
  },
  vote_not_independent: {
    status: 403,
    code: 2605,
    audience: 'operators',
    text: 'You and the requester or a beneficiary share a mark: {mark}',
  },
  voted_already: {
    status: 400,
    code: 2606,
    audience: 'operators',
    text: 'You have voted on this request',
  },
  retype_differs: {
    status: 400,
    code: 2607,
    audience: 'operators',
    text: 'Retype the amount and its unit, as in `10 btc`',
  },
  power_missing: {
    status: 403,
    code: 2609,
    audience: 'operators',
    text: 'Your role lacks the power {power}',
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
    text: 'This key moves at most {limit} within 24 hours',
  },
  vote_needs_administrator: {
    status: 403,
    code: 2612,
    audience: 'operators',
    text: 'In solo mode, only administrators approve or reject requests',
  },
  key_grant_key_unknown: {
    status: 404,
    code: 2613,
    audience: 'operators',
    text: 'No operator has an active API key with this ID',
  },
} as const satisfies ErrorTable;
