// The call of an operator as the domain sees it: who acts, by which credential, with which powers.

import { ApiRefusal } from '../../../platform/http/index.ts';
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

/** Throws a refusal unless the role has the power. */
export function requirePower({ powers }: Pick<Caller, 'powers'>, power: Power): void {
  if (!powers.has(power)) throw new ApiRefusal('power_missing', { power });
}
