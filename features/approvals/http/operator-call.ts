// An operator's call as the domain sees it: the user, the credential and the permissions.

import { Refused } from '../../../protocol/wire/index.ts';
import type { Caller } from '../../auth/index.ts';
import type { Operator } from '../act.ts';
import { isPower, type Power } from '../powers.ts';

export interface OperatorCall {
  readonly caller: Caller;
  readonly permission: string;
  readonly address: string;
}

export function operatorOf({ address, caller, permission }: OperatorCall): Operator {
  const { key, kind, permissions, powers, role, session, user } = caller;
  return {
    user,
    role,
    permissions,
    call: permission,
    powers: new Set([...powers].filter(isPower)),
    credential: kind === 'key' ? `key ${key}` : `session ${session}`,
    session,
    address,
  };
}

/** Returns a rejection unless the role has the permission. */
export function refusePower(
  { powers }: Pick<Caller, 'powers'>,
  power: Power,
): Refused<'power_missing'> | undefined {
  return powers.has(power) ? undefined : new Refused('power_missing', { power });
}

/** Roles with this call, or with all calls, can read every request. */
const AUDIT_CALLS = ['/admin/audits:get', '*'];

/**
 * Values for the condition of a list of approval requests: requesters, voters, and auditors read
 * them.
 */
export function readerOf(call: OperatorCall): [isAuditor: boolean, user: number, powers: string[]] {
  const { permissions, powers, user } = operatorOf(call);
  return [AUDIT_CALLS.some((one) => permissions.has(one)), user, [...powers]];
}
