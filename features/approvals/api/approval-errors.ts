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
  approval_too_early: {
    status: 400,
    code: 2603,
    audience: 'operators',
    text: 'The time lock of this request ends at {at}',
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
  setup_money_limit: {
    status: 403,
    code: 2608,
    audience: 'operators',
    text: 'Until two administrators have second factors, priced acts below {max} in 24 hours pass',
  },
  power_missing: {
    status: 403,
    code: 2609,
    audience: 'operators',
    text: 'Your role lacks the power {power}',
  },
} as const satisfies ErrorTable;
