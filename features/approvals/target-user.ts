// User affected by an action. Operators cannot act on their own account, nor on operators with more
// permissions than their own.

import type { UserId } from '../../core/money/index.ts';
import { idOf } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import type { UserState } from '../accounts/index.ts';
import type { ActContext, Assessment, Operator, ShownLine } from './act.ts';
import { EVERYTHING } from './perform-act.ts';
import { isVoter } from './powers.ts';

export interface TargetUser {
  readonly id: UserId;
  readonly kind: 'person' | 'sub' | 'virtual' | 'house';
  readonly state: UserState;
  readonly email: string;
  readonly language: string;
  readonly level: number;
  /** Percent, as a decimal. */
  readonly discount: string;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly note: string;
  readonly flagged: boolean;
  readonly role: string | null;
  readonly roleContent: RoleContent;
  readonly blockedUntil: Date | null;
  /** Increases with every change of credentials, role or email address. */
  readonly securityVersion: number;
}

/** Everything that a role permits. */
export interface RoleContent {
  readonly permissions: readonly string[];
  readonly powers: readonly string[];
}

export interface TargetRules {
  /** Neither a sub-account nor a house account. */
  readonly isPerson?: true;
}

const TARGET = `
  select u.id, u.parent_id, u.kind, u.state, u.email, u.verification_level, u.discount, u.meta,
    u.note, u.flagged, u.role, u.withdrawal_blocked_until, u.security_version,
    coalesce(u.settings ->> 'language', 'en') as language,
    coalesce(r.permissions, '{}') as permissions, coalesce(r.powers, '{}') as powers
  from users u left join roles r on r.name = u.role where u.id = $1 for no key update of u`;

export type TargetRefusal =
  | 'user_not_found'
  | 'user_is_erased'
  | 'user_is_no_person'
  | 'act_on_own_account'
  | 'act_on_higher_role';

/** Locks the user's row until the transaction ends. */
export async function lockTarget(
  { connection, operator }: ActContext,
  user: number,
  { isPerson }: TargetRules = {},
): Promise<TargetUser | Refused<TargetRefusal>> {
  const { rows } = await connection.query(TARGET, [user]);
  const [row] = rows;
  if (row === undefined) return new Refused('user_not_found');
  if (row.state === 'erased') return new Refused('user_is_erased');
  if (isPerson && row.kind !== 'person') return new Refused('user_is_no_person');
  const family = row.parent_id === null ? [row.id] : [row.id, row.parent_id];
  if (family.some((id) => idOf<UserId>(id) === operator.user)) {
    return new Refused('act_on_own_account');
  }
  const target = targetOf(row);
  if (!covers(operator, target.roleContent)) return new Refused('act_on_higher_role');
  return target;
}

/** Whether the operator has all permissions of the role. */
export function covers(
  { permissions, powers }: Pick<Operator, 'permissions' | 'powers'>,
  role: RoleContent,
): boolean {
  // The administrator appoints others, so has everything they can get.
  if (permissions.has(EVERYTHING)) return true;
  return (
    role.permissions.every((one) => permissions.has(one)) &&
    role.powers.every((one) => (powers as ReadonlySet<string>).has(one))
  );
}

/**
 * For actions that could give operators control of the account: two of them must not obtain a third
 * one's vote.
 */
export function guardVoter({ roleContent }: TargetUser, assessment: Assessment): Assessment {
  return isVoter(roleContent) ? { ...assessment, approvals: 2 } : assessment;
}

/** Identifies the user to voters without personal data. */
export function userLabel({ id, level, role, state }: TargetUser): ShownLine[] {
  return [
    { label: 'User', value: `${id}` },
    { label: 'State', value: state },
    { label: 'Level', value: `${level}` },
    { label: 'Role', value: role ?? 'user' },
  ];
}

export function objectOf(user: number): string {
  return `user ${user}`;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function targetOf(row: any): TargetUser {
  return {
    id: idOf(row.id),
    kind: row.kind,
    state: row.state,
    email: row.email,
    language: row.language,
    level: Number(row.verification_level),
    discount: row.discount,
    meta: row.meta,
    note: row.note,
    flagged: row.flagged,
    role: row.role,
    roleContent: { permissions: row.permissions, powers: row.powers },
    blockedUntil: row.withdrawal_blocked_until,
    securityVersion: Number(row.security_version),
  };
}
