// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source text.
// Faults in the rules of approvals: who votes, what is executed, and how sums are counted.

import type { Fault } from '../fault.ts';

const APPROVALS = 'features/approvals/approvals.ts';
const ANSWER = 'features/approvals/http/answer-act.ts';
const CONTROL = 'features/approvals/control.ts';
const GRANTS = 'features/approvals/admin/key-grants.ts';
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
    find: 'needed === 0 && (isOwn || isAbove)',
    replace: 'needed === 0 && isAbove',
  },
  {
    name: 'a request about a changed object executes',
    file: APPROVALS,
    find: "if (weighed.objectVersion !== objectVersion) return 'object_changed';",
    replace: '',
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
    name: 'an administrator acts alone in team mode',
    file: PERFORM,
    find: "  if (control.mode === 'team') {",
    replace: "  if (control.mode === 'team' && context.operator.role !== ADMINISTRATOR) {",
  },
  {
    name: 'every role acts alone in solo mode',
    file: PERFORM,
    find: 'const isAlone = context.operator.role === ADMINISTRATOR;',
    replace: 'const isAlone = true;',
  },
  {
    name: 'the daily limit of a key is ignored in solo mode',
    file: PERFORM,
    find: '(isAlone || needed === 0) && limit?.isKept === false',
    replace: '!isAlone && needed === 0 && limit?.isKept === false',
  },
  {
    name: 'a key moves its daily limit with every call',
    file: THRESHOLDS,
    find: 'coalesce(sum(value), 0) + $3::numeric <= $4::numeric',
    replace: '$3::numeric <= $4::numeric',
  },
  {
    name: 'a trusted key pays its own owner',
    file: PERFORM,
    find: 'limit?.isKept === true && !isOwn',
    replace: 'limit?.isKept === true',
  },
  {
    name: 'more trust in a key needs no approval',
    file: GRANTS,
    find: 'approvals: isMore(before, wanted) ? 1 : 0',
    replace: 'approvals: 0',
  },
  {
    name: 'a key gets 202 for a pending act',
    file: ANSWER,
    find: "if (caller.kind !== 'session') return",
    replace: "if (caller.kind !== 'session' && caller.key === 0) return",
  },
  {
    name: 'team mode ends without the 24 hours',
    file: CONTROL,
    find: "select case when solo_from <= now() then 'solo' else mode end as mode",
    replace: "select case when solo_from is not null then 'solo' else mode end as mode",
  },
  {
    name: 'the last day of team mode cannot be canceled',
    file: CONTROL,
    find: "set mode = 'team', solo_from = null,",
    replace: "set mode = 'team',",
  },
  {
    name: 'anybody approves in solo mode',
    file: APPROVALS,
    find: 'const isAllowed = await isAdministrator(connection, user);',
    replace: 'const isAllowed = true;',
  },
];
