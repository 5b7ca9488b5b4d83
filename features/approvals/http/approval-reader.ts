// Readers of a request for approval: its requester, those who may vote on it, and auditors.

import { type OperatorCall, operatorOf } from './operator-call.ts';

/** Roles with this call, or with all calls, read every request. */
const AUDIT_CALLS = ['/admin/audits:get', '*'];

/** Values of the condition in a list of requests. */
export function readerOf(call: OperatorCall): [isAuditor: boolean, user: number, powers: string[]] {
  const { permissions, powers, user } = operatorOf(call);
  return [AUDIT_CALLS.some((one) => permissions.has(one)), user, [...powers]];
}
