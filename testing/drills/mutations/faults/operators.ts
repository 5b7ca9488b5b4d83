// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source text.
// Faults in approval rules: who votes, what is executed, and how totals are counted.

import type { FaultTable } from '../fault.ts';

export const OPERATOR_FAULTS: FaultTable = {
  'features/approvals/powers.ts': {
    'an operator created within the hour votes': { in: 'hasPowerForADay', remove: '- ROLE_AGE_MS' },
  },
  'features/approvals/same-person.ts': {
    'a voter shares the browser of the requester': {
      in: 'MARKS',
      replace: ['browser_hash where', 'browser_hash and o.id = v.id where'],
    },
  },
  'features/approvals/approvals.ts': {
    'an earlier approver can be the same person': {
      in: 'checkVoter.others',
      value: '[requester, ...beneficiaries]',
    },
    'a vote for another payload counts': {
      in: 'voteOn',
      replace: ['.toLowerCase() !== approval.payloadHash', '=== ""'],
    },
    'a request about a changed object executes': { in: 'staleReason', drop: 'object_changed' },
    "a revoked key's request executes": { in: 'findRequester', remove: 'not k.revoked and' },
    'a vote counts after the reset of stolen credentials': {
      in: 'listValidApprovers',
      remove: "and ${isTrusted('v.session_id')}",
    },
    'anyone approves in solo mode': { in: 'checkVoter.isAllowed', value: 'true' },
  },
  'features/approvals/sealed-requests.ts': {
    'personal values of another request execute': { in: 'payloadHash.named.sealed', value: "''" },
  },
  'features/approvals/thresholds.ts': {
    'a split amount stays below every threshold': {
      in: 'approvalsForValue',
      remove: 'unapproved +',
    },
    "a key's daily limit counts only the current call": {
      in: 'readKeyLimit',
      remove: 'coalesce(sum(value), 0) +',
    },
  },
  'features/approvals/perform-act.ts': {
    'an operator pays themselves without approval': {
      in: 'weighMoney',
      replace: ['(isOwn || isAbove)', 'isAbove'],
    },
    'an administrator needs no approval in team mode': {
      in: 'assessApprovals',
      replace: ["'team'", "'team' && context.operator.role !== ADMINISTRATOR"],
    },
    'every role needs no approval in solo mode': { in: 'assessApprovals.isAlone', value: 'true' },
    "a key's daily limit is ignored in solo mode": {
      in: 'assessApprovals',
      replace: ['(isAlone || needed === 0)', '!isAlone && needed === 0'],
    },
    'a trusted key pays its own owner': { in: 'weighMoney', remove: '&& !isOwn' },
  },
  'features/approvals/admin/key-grants.ts': {
    'raising the trust in a key needs no approval': {
      in: 'grantKey.prepare.approvals',
      value: '0',
    },
  },
  'features/approvals/http/answer-act.ts': {
    'a key gets 202 for a pending action': {
      in: 'waitingAnswer',
      replace: ["'session'", "'session' && caller.key === 0"],
    },
  },
  'features/approvals/control.ts': {
    'team mode ends without the 24 hours': {
      in: 'readControl',
      replace: ['<= now()', 'is not null'],
    },
    'the last day of team mode cannot be canceled': {
      in: 'enterTeam',
      remove: 'solo_from = null,',
    },
  },
};
