// Operator actions on a user's access: role, second factors, email address, sessions, and how long
// withdrawals stay blocked.

import { idOf } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { isLastAdministrator, type UserPayload } from '../../accounts/admin/index.ts';
import { normalEmail } from '../../accounts/index.ts';
import {
  type ActContext,
  type Assessment,
  covers,
  defineAct,
  EVERYTHING,
  guardVoter,
  isVoter,
  lockTarget,
  objectOf,
  type RoleContent,
  restartRoleAge,
  type ShownLine,
  type TargetUser,
  userLabel,
} from '../../approvals/index.ts';
import { maskEmail, unmaskText } from '../../pii-access/index.ts';
import { markSessionRevoked } from '../credentials/sessions.ts';
import {
  type OperatorChange,
  replaceEmail,
  resetFactors,
  vouchForEmail,
} from '../operator-changes.ts';
import { applySecurityChange } from '../security-changes.ts';

export type RolePayload = { readonly user: number; readonly role: string };
/** `until` is in ISO 8601; null removes the block. */
export type WithdrawalBlockPayload = { readonly user: number; readonly until: string | null };
export type SessionPayload = { readonly session: number };
export type EmailPayload = { readonly user: number; readonly email: string };

const NO_ROLE = 'user';
const PERSON = { isPerson: true } as const;

/** `user` removes the role. Ends the user's sessions. */
export const setRoleAct = defineAct({
  name: 'user.role',
  votePower: 'approve.access',
  async prepare(context: ActContext, { role, user }: RolePayload) {
    const { connection } = context;
    const isLast = await isLastAdministrator(context, user);
    if (isLast) return new Refused('last_administrator');
    const target = await lockTarget(context, user, PERSON);
    if (target instanceof Refused) return target;
    const refusal = await requireGrantable(context, target, role);
    if (refusal !== undefined) return refusal;
    const { id } = target;
    return {
      ...assessmentOf(target, [{ label: 'New role', value: role }]),
      approvals: isVoter(target.roleContent) ? 2 : 1,
      async run() {
        await connection.query('update users set role = $2, updated_at = now() where id = $1', [
          id,
          role === NO_ROLE ? null : role,
        ]);
        await applySecurityChange(connection, { user: id, reason: 'role_changed', holdMs: 0 });
        return {
          result: { user: id, role },
          subject: id,
          before: { role: target.role ?? NO_ROLE },
          after: { role },
          effects: { accessOf: [id] },
        };
      },
    };
  },
});

/** Removes one-time password, passkeys and recovery codes, and blocks withdrawals for 72 hours. */
export const resetFactorsAct = defineAct({
  name: 'user.reset-factors',
  votePower: 'approve.access',
  async prepare(context: ActContext, { user }: UserPayload) {
    const { connection, vault } = context;
    const target = await lockTarget(context, user, PERSON);
    if (target instanceof Refused) return target;
    const { id } = target;
    return {
      ...guardVoter(target, assessmentOf(target)),
      async run() {
        const hadFactors = await resetFactors(connection, vault, changeOf(context, target));
        if (hadFactors) await restartRoleAge(context, [id]);
        return {
          result: { user: id },
          subject: id,
          before: { factors: hadFactors },
          after: { factors: false },
          ...(hadFactors && { effects: { accessOf: [id] } }),
        };
      },
    };
  },
});

/** Ends sessions, suspends trading keys, and blocks withdrawals for 72 hours. */
export const changeEmailAct = defineAct({
  name: 'user.email',
  votePower: 'approve.access',
  personal: ['email'],
  async prepare(context: ActContext, { email: given, user }: EmailPayload) {
    const { connection, vault } = context;
    const target = await lockTarget(context, user, PERSON);
    if (target instanceof Refused) return target;
    // A mask is not an address.
    const email = unmaskText(normalEmail(given), '', maskEmail);
    if (email instanceof Refused) return email;
    const { id } = target;
    const shown = [{ label: 'New email address', value: email, isPersonal: true }] as const;
    return {
      ...guardVoter(target, assessmentOf(target, shown)),
      async run() {
        const refusal = await replaceEmail(connection, vault, changeOf(context, target), email);
        if (refusal !== undefined) return refusal;
        await restartRoleAge(context, [id]);
        return {
          result: { user: id },
          subject: id,
          personal: { before: target.email, after: email },
          effects: { accessOf: [id] },
        };
      },
    };
  },
});

export const verifyEmailAct = defineAct({
  name: 'user.verify-email',
  votePower: 'approve.access',
  async prepare(context: ActContext, { user }: UserPayload) {
    const { connection, vault } = context;
    const target = await lockTarget(context, user, PERSON);
    if (target instanceof Refused) return target;
    if (target.state !== 'unverified') return new Refused('email_already_verified');
    const { id } = target;
    return {
      ...guardVoter(target, { ...assessmentOf(target), approvals: 0 }),
      async run() {
        await vouchForEmail(connection, vault, changeOf(context, target));
        await restartRoleAge(context, [id]);
        return {
          result: { user: id },
          subject: id,
          before: { state: 'unverified' },
          after: { state: 'active' },
          effects: { accessOf: [id] },
        };
      },
    };
  },
});

export const revokeSessionAct = defineAct({
  name: 'user.revoke-session',
  votePower: 'approve.access',
  async prepare(context: ActContext, { session }: SessionPayload) {
    const { connection } = context;
    const user = await ownerOfSession(context, session);
    if (user instanceof Refused) return user;
    const target = await lockTarget(context, user);
    if (target instanceof Refused) return target;
    const { id } = target;
    return {
      ...assessmentOf(target),
      approvals: 0,
      async run() {
        const revoked = { user: id, id: session, reason: 'operator' };
        const isRevoked = await markSessionRevoked(connection, revoked);
        if (!isRevoked) return new Refused('session_not_found');
        return {
          result: { user: id, session },
          subject: id,
          after: { revokedSession: session },
          effects: { accessOf: [id] },
        };
      },
    };
  },
});

/** Extending a block needs no approval; shortening or removing it does. */
export const blockWithdrawalsAct = defineAct({
  name: 'user.block-withdrawals',
  votePower: 'approve.access',
  async prepare(context: ActContext, { until, user }: WithdrawalBlockPayload) {
    const { connection, nowMs } = context;
    const target = await lockTarget(context, user, PERSON);
    if (target instanceof Refused) return target;
    if (until !== null && Date.parse(until) <= nowMs) return new Refused('block_end_in_past');
    const { id } = target;
    const blockedUntil = target.blockedUntil?.toISOString() ?? null;
    const shown = [
      { label: 'Blocked until', value: blockedUntil ?? 'not blocked' },
      { label: 'New', value: until ?? 'not blocked' },
    ];
    return {
      ...assessmentOf(target, shown),
      approvals: isShorter(context, target, until) ? 1 : 0,
      // A block extended in the meantime has a reason that voters have not seen.
      objectVersion: blockedUntil ?? '',
      async run() {
        await connection.query(
          `update users set withdrawal_blocked_until = $2, updated_at = now(),
             block_reason = case when $2::timestamptz is null then null else 'operator' end
           where id = $1`,
          [id, until],
        );
        return {
          result: { user: id, until },
          subject: id,
          before: { blockedUntil },
          after: { blockedUntil: until },
          effects: { accessOf: [id] },
        };
      },
    };
  },
});

function isShorter(
  { nowMs }: ActContext,
  { blockedUntil }: TargetUser,
  until: string | null,
): boolean {
  if (blockedUntil === null || blockedUntil.getTime() <= nowMs) return false;
  return until === null || Date.parse(until) < blockedUntil.getTime();
}

/**
 * Operators cannot grant permissions they do not have, or create administrators through the
 * interface.
 */
async function requireGrantable(
  { connection, operator }: ActContext,
  target: TargetUser,
  role: string,
) {
  if (role === (target.role ?? NO_ROLE)) return new Refused('role_unchanged');
  if (role === NO_ROLE) return undefined;
  if (target.state !== 'active') return new Refused('user_not_in_use', { state: target.state });
  const { rows } = await connection.query('select permissions, powers from roles where name = $1', [
    role,
  ]);
  const [content] = rows as RoleContent[];
  if (content === undefined) return new Refused('role_unknown', { role });
  if (role === 'admin' || content.permissions.includes(EVERYTHING)) {
    return new Refused('role_not_grantable');
  }
  if (!covers(operator, content)) return new Refused('role_exceeds_own');
  return undefined;
}

async function ownerOfSession({ connection }: ActContext, session: number) {
  const { rows } = await connection.query('select user_id from sessions where id = $1', [session]);
  return rows.length === 0 ? new Refused('session_not_found') : idOf<number>(rows[0].user_id);
}

function changeOf({ nowMs }: ActContext, { email, id, language }: TargetUser): OperatorChange {
  return { user: id, email, language, nowMs };
}

function assessmentOf(target: TargetUser, shown: readonly ShownLine[] = []): Assessment {
  return {
    object: objectOf(target.id),
    objectVersion: `${target.role} ${target.state} ${target.securityVersion}`,
    approvals: 1,
    beneficiaries: [target.id],
    shown: [...userLabel(target), ...shown],
  };
}
