// Acts about a user's access: role, second factors, e-mail address, sessions, and how long
// withdrawals stay blocked.

import { idOf } from '../../../infra/postgres/index.ts';
import { isLastAdministrator, type UserPayload } from '../../accounts/admin/index.ts';
import { normalEmail } from '../../accounts/index.ts';
import {
  type ActContext,
  ActRefused,
  type Assessment,
  covers,
  defineActInTwoSteps,
  EVERYTHING,
  guardVoter,
  isVoter,
  lockTarget,
  objectOf,
  orThrow,
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
/** `until` is in ISO 8601; null ends the block. */
export type WithdrawalBlockPayload = { readonly user: number; readonly until: string | null };
export type SessionPayload = { readonly session: number };
export type EmailPayload = { readonly user: number; readonly email: string };

const NO_ROLE = 'user';
const PERSON = { isPerson: true } as const;

/** `user` takes the role away. The sessions of the user end. */
export const setRoleAct = defineActInTwoSteps({
  name: 'user.role',
  votePower: 'approve.access',
  async assess(context: ActContext, payload: RolePayload): Promise<Assessment> {
    // Locked already: the number of approvals depends on the present role.
    if (await isLastAdministrator(context, payload.user))
      throw new ActRefused('last_administrator');
    const target = orThrow(await lockTarget(context, payload.user, PERSON));
    await requireGrantable(context, target, payload.role);
    return {
      ...assessmentOf(target, [{ label: 'New role', value: payload.role }]),
      approvals: isVoter(target.roleContent) ? 2 : 1,
    };
  },
  async execute(context: ActContext, { role, user }: RolePayload) {
    const { connection } = context;
    if (await isLastAdministrator(context, user)) throw new ActRefused('last_administrator');
    const target = orThrow(await lockTarget(context, user, PERSON));
    await requireGrantable(context, target, role);
    const { id } = target;
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
});

/** Removes one-time password, passkeys and recovery codes; withdrawals wait for 72 hours. */
export const resetFactorsAct = defineActInTwoSteps({
  name: 'user.reset-factors',
  votePower: 'approve.access',
  async assess(context: ActContext, { user }: UserPayload): Promise<Assessment> {
    const target = orThrow(await lockTarget(context, user, PERSON));
    return guardVoter(target, assessmentOf(target));
  },
  async execute(context: ActContext, { user }: UserPayload) {
    const target = orThrow(await lockTarget(context, user, PERSON));
    const isReset = await resetFactors(
      context.connection,
      context.vault,
      changeOf(context, target),
    );
    if (!isReset) throw new ActRefused('user_has_no_factor');
    const { id } = target;
    await restartRoleAge(context, [id]);
    return {
      result: { user: id },
      subject: id,
      before: { factors: true },
      after: { factors: false },
      effects: { accessOf: [id] },
    };
  },
});

/** A mask is no address. */
function emailOf(given: string): string {
  return orThrow(unmaskText(normalEmail(given), '', maskEmail));
}

/** Sessions end, keys that trade are suspended, withdrawals wait for 72 hours. */
export const changeEmailAct = defineActInTwoSteps({
  name: 'user.email',
  votePower: 'approve.access',
  personal: ['email'],
  async assess(context: ActContext, { email, user }: EmailPayload): Promise<Assessment> {
    const target = orThrow(await lockTarget(context, user, PERSON));
    const shown = [{ label: 'New e-mail', value: emailOf(email), isPersonal: true }] as const;
    return guardVoter(target, assessmentOf(target, shown));
  },
  async execute(context: ActContext, { email: given, user }: EmailPayload) {
    const { connection, vault } = context;
    const target = orThrow(await lockTarget(context, user, PERSON));
    const email = emailOf(given);
    const refusal = await replaceEmail(connection, vault, changeOf(context, target), email);
    if (refusal !== undefined) throw new ActRefused(refusal);
    const { id } = target;
    await restartRoleAge(context, [id]);
    return {
      result: { user: id },
      subject: id,
      personal: { before: target.email, after: email },
      effects: { accessOf: [id] },
    };
  },
});

export const verifyEmailAct = defineActInTwoSteps({
  name: 'user.verify-email',
  votePower: 'approve.access',
  async assess(context: ActContext, { user }: UserPayload): Promise<Assessment> {
    const target = orThrow(await lockTarget(context, user, PERSON));
    return guardVoter(target, { ...assessmentOf(target), approvals: 0 });
  },
  async execute(context: ActContext, { user }: UserPayload) {
    const target = orThrow(await lockTarget(context, user, PERSON));
    if (target.state !== 'unverified') throw new ActRefused('email_already_verified');
    await vouchForEmail(context.connection, context.vault, changeOf(context, target));
    const { id } = target;
    await restartRoleAge(context, [id]);
    return {
      result: { user: id },
      subject: id,
      before: { state: 'unverified' },
      after: { state: 'active' },
      effects: { accessOf: [id] },
    };
  },
});

export const revokeSessionAct = defineActInTwoSteps({
  name: 'user.revoke-session',
  votePower: 'approve.access',
  async assess(context: ActContext, { session }: SessionPayload): Promise<Assessment> {
    const target = orThrow(await lockTarget(context, await ownerOfSession(context, session)));
    return { ...assessmentOf(target), approvals: 0 };
  },
  async execute(context: ActContext, { session }: SessionPayload) {
    const user = await ownerOfSession(context, session);
    const { id } = orThrow(await lockTarget(context, user));
    const reason = 'operator';
    const revoked = { user: id, id: session, reason };
    if (!(await markSessionRevoked(context.connection, revoked))) {
      throw new ActRefused('session_not_found');
    }
    return {
      result: { user: id, session },
      subject: id,
      after: { revokedSession: session },
      effects: { accessOf: [id] },
    };
  },
});

/** A longer block needs one person; a shorter one, or none, needs another. */
export const blockWithdrawalsAct = defineActInTwoSteps({
  name: 'user.block-withdrawals',
  votePower: 'approve.access',
  async assess(context: ActContext, payload: WithdrawalBlockPayload): Promise<Assessment> {
    // Locked already: the number of approvals depends on the present block.
    const target = orThrow(await lockTarget(context, payload.user, PERSON));
    const { until } = payload;
    const shown = [
      { label: 'Blocked until', value: target.blockedUntil?.toISOString() ?? 'not blocked' },
      { label: 'New', value: until ?? 'not blocked' },
    ];
    const approvals = isShorter(context, target, until) ? 1 : 0;
    // A block that someone has made longer meanwhile has a reason that voters do not know.
    const objectVersion = target.blockedUntil?.toISOString() ?? '';
    return { ...assessmentOf(target, shown), approvals, objectVersion };
  },
  async execute(context: ActContext, { until, user }: WithdrawalBlockPayload) {
    const target = orThrow(await lockTarget(context, user, PERSON));
    const { blockedUntil, id } = target;
    if (until !== null && Date.parse(until) <= context.nowMs) {
      throw new ActRefused('block_end_in_past');
    }
    await context.connection.query(
      `update users set withdrawal_blocked_until = $2, updated_at = now(),
         block_reason = case when $2::timestamptz is null then null else 'operator' end
       where id = $1`,
      [id, until],
    );
    return {
      result: { user: id, until },
      subject: id,
      before: { blockedUntil: blockedUntil?.toISOString() ?? null },
      after: { blockedUntil: until },
      effects: { accessOf: [id] },
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

/** Nobody gives what they do not hold, and nobody makes administrators through the interface. */
async function requireGrantable(
  { connection, operator }: ActContext,
  target: TargetUser,
  role: string,
): Promise<void> {
  if (role === (target.role ?? NO_ROLE)) throw new ActRefused('role_unchanged');
  if (role === NO_ROLE) return;
  if (target.state !== 'active') throw new ActRefused('user_not_in_use', { state: target.state });
  const { rows } = await connection.query('select permissions, powers from roles where name = $1', [
    role,
  ]);
  const [content] = rows as RoleContent[];
  if (content === undefined) throw new ActRefused('role_unknown', { role });
  if (role === 'admin' || content.permissions.includes(EVERYTHING)) {
    throw new ActRefused('role_not_grantable');
  }
  if (!covers(operator, content)) throw new ActRefused('role_exceeds_own');
}

async function ownerOfSession({ connection }: ActContext, session: number): Promise<number> {
  const { rows } = await connection.query('select user_id from sessions where id = $1', [session]);
  if (rows.length === 0) throw new ActRefused('session_not_found');
  return idOf<number>(rows[0].user_id);
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
