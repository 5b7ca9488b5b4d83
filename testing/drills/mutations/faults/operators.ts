// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source text.
// Faults in the rules of approvals: who votes, what is executed, and how sums are counted.

import type { Fault } from '../fault.ts';

const APPROVALS = 'features/approvals/approvals.ts';
const CONTROL = 'features/approvals/control.ts';
const PERFORM = 'features/approvals/perform-act.ts';
const POWERS = 'features/approvals/powers.ts';
const SAME_PERSON = 'features/approvals/same-person.ts';
const SEALED = 'features/approvals/sealed-requests.ts';
const THRESHOLDS = 'features/approvals/thresholds.ts';

export const OPERATOR_FAULTS: readonly Fault[] = [
  {
    name: 'an operator of this hour votes',
    file: POWERS,
    find: '[user, power, nowMs - ROLE_AGE_MS]',
    replace: '[user, power, nowMs]',
  },
  {
    name: 'a voter shares the browser of the requester',
    file: SAME_PERSON,
    find: 'on o.browser_hash = v.browser_hash',
    replace: 'on o.browser_hash = v.browser_hash and o.id = v.id',
  },
  {
    name: 'an earlier approver may be the same person',
    file: APPROVALS,
    find: '...beneficiaries, ...approvers.filter((one) => one !== user)]',
    replace: '...beneficiaries]',
  },
  {
    name: 'a vote for another payload counts',
    file: APPROVALS,
    find: 'if (vote.payloadHash.toLowerCase() !== approval.payloadHash) {',
    replace: 'if (vote.payloadHash === "") {',
  },
  {
    name: 'personal values of another request execute',
    file: SEALED,
    find: '...(sealedHash !== null && { sealed: sealedHash })',
    replace: "...(sealedHash !== null && { sealed: '' })",
  },
  {
    name: 'a split amount is below every threshold',
    file: THRESHOLDS,
    find: 'bool_or(unapproved + $4::numeric >= $5::numeric)',
    replace: 'bool_or($4::numeric >= $5::numeric)',
  },
  {
    name: 'an operator pays themselves alone',
    file: PERFORM,
    find: 'needed: isOwn || isAbove ? 1 : 0',
    replace: 'needed: isAbove ? 1 : 0',
  },
  {
    name: 'a request about a changed object executes',
    file: APPROVALS,
    find: "if (weighed.objectVersion !== objectVersion) return 'object_changed';",
    replace: '',
  },
  {
    name: 'a time lock does not lock',
    file: APPROVALS,
    find: "vote.vote === 'approve' && executesAt.getTime() > nowMs",
    replace: "vote.vote === 'approve' && executesAt.getTime() > nowMs + 86_400_000",
  },
  {
    name: 'the request of a revoked key executes',
    file: APPROVALS,
    find: 'and not k.revoked and',
    replace: 'and',
  },
  {
    name: 'a vote counts after the reset of stolen credentials',
    file: APPROVALS,
    find: "and v.approver_id <> a.requester_id and ${isTrusted('v.session_id')}",
    replace: 'and v.approver_id <> a.requester_id',
  },
  {
    name: 'the set-up waives approvals for every role',
    file: PERFORM,
    find: 'context.operator.role === ADMINISTRATOR && prepared.needsOthers !== true',
    replace: 'prepared.needsOthers !== true',
  },
  {
    name: 'thresholds of the set-up outlive it',
    file: CONTROL,
    find: "case mode when 'setup' then least(one_approval_from, $2)",
    replace: "case mode when 'setup' then greatest(one_approval_from, $2)",
  },
];
