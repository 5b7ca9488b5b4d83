// Acts that stop an account or let it go on: freeze and unfreeze, delete and restore. Stopping
// needs one person; the way back needs another.

import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import {
  type Act,
  type ActContext,
  ActRefused,
  type Assessment,
  defineAct,
  findTarget,
  guardVoter,
  lockTarget,
  objectOf,
  restartRoleAge,
  type TargetUser,
  userLabel,
} from '../../approvals/index.ts';
import {
  applySecurityChange,
  freezeUser,
  type IdentityClient,
  operatorCircumstances,
  unfreezeUser,
} from '../../auth/index.ts';
import { enqueueMail } from '../../messages/index.ts';
import { CLOSING_MS, hasSubAccounts, startClosing } from '../closing.ts';

export type UserPayload = { readonly user: number };

/** The operator's place and device are not for the user to know. */
const NOWHERE: IdentityClient = { address: '', network: '', userAgent: '', isBrowserApp: false };

/** After the commit the caller stops what the account does. May be repeated. */
export const freezeUserAct = defineAct({
  name: 'user.freeze',
  votePower: 'approve.access',
  assess: assessWith(0),
  async execute(context: ActContext, { user }: UserPayload) {
    await refuseLastAdmin(context, user);
    const { id, state } = await lockTarget(context, user);
    if (state !== 'frozen') {
      const isFrozen = await freezeUser(context.connection, portsOf(context), {
        user: id,
        client: NOWHERE,
      });
      if (!isFrozen) throw new ActRefused('user_not_in_use', { state });
    }
    return {
      result: { user: id },
      subject: id,
      before: { state },
      after: { state: 'frozen' },
      effects: { accessOf: [id] },
    };
  },
});

export const unfreezeUserAct = defineAct({
  name: 'user.unfreeze',
  votePower: 'approve.access',
  async assess(context: ActContext, payload: UserPayload): Promise<Assessment> {
    const target = await findTarget(context, payload.user);
    requireFrozen(target);
    return guardVoter(target, assessmentOf(target, 1));
  },
  async execute(context: ActContext, { user }: UserPayload) {
    const target = await lockTarget(context, user);
    requireFrozen(target);
    const { id } = target;
    await unfreezeUser(context.connection, portsOf(context), { user: id, client: NOWHERE });
    await restartRoleAge(context, [id]);
    return {
      result: { user: id },
      subject: id,
      before: { state: 'frozen' },
      after: { state: 'active' },
      effects: { accessOf: [id] },
    };
  },
});

export interface DeletionPorts {
  /**
   * The content of the account: transfers in progress, balances, orders. The account is locked
   * meanwhile; the answer must include everything that happened before.
   */
  findContent(statements: Statements, user: TargetUser['id']): Promise<readonly string[]>;
}

/**
 * active, frozen or unverified ──▶ closing, as if the owner had deleted the account. The e-mail
 * address stays: a late deposit makes the account active again, and its owner must reach it.
 */
export function deleteUserAct({ findContent }: DeletionPorts): Act<UserPayload, UserPayload> {
  return defineAct({
    name: 'user.delete',
    votePower: 'approve.access',
    assess: assessWith(0, { isPerson: true }),
    async execute(context: ActContext, { user }: UserPayload) {
      const { connection, nowMs, vault } = context;
      const target = await lockTarget(context, user, { isPerson: true });
      const { email: to, id, language, role, state } = target;
      if (role !== null) throw new ActRefused('operator_account_fixed');
      if (!['active', 'frozen', 'unverified'].includes(state)) {
        throw new ActRefused('user_not_in_use', { state });
      }
      const content = [
        ...((await hasSubAccounts(connection, id)) ? ['a sub-account'] : []),
        ...(await findContent(connection, id)),
      ];
      if (content.length > 0) {
        throw new ActRefused('account_not_empty', { detail: content.join(', ') });
      }
      await startClosing(connection, id);
      const reason = 'account_closing';
      await applySecurityChange(connection, { user: id, reason, holdMs: 0, suspendsKeys: true });
      const closesOn = new Date(nowMs + CLOSING_MS).toISOString().slice(0, 10);
      const values = { ...operatorCircumstances(vault, { user: id, nowMs }), closesOn };
      await enqueueMail(connection, vault, {
        user: id,
        to,
        language,
        kind: 'account_closing',
        values,
      });
      return {
        result: { user: id },
        subject: id,
        before: { state },
        after: { state: 'closing' },
        effects: { accessOf: [id] },
      };
    },
  });
}

/** Keys that were suspended stay so: their owner makes new ones. */
export const restoreUserAct = defineAct({
  name: 'user.restore',
  votePower: 'approve.access',
  async assess(context: ActContext, payload: UserPayload): Promise<Assessment> {
    const target = await findTarget(context, payload.user, { isPerson: true });
    requireDeleted(target);
    return guardVoter(target, assessmentOf(target, 1));
  },
  async execute(context: ActContext, { user }: UserPayload) {
    const target = await lockTarget(context, user, { isPerson: true });
    requireDeleted(target);
    const { id, state } = target;
    await context.connection.query(
      `update users set state = 'active', state_since = to_timestamp($2 / 1000.0),
         updated_at = now() where id = $1`,
      [id, context.nowMs],
    );
    await restartRoleAge(context, [id]);
    return {
      result: { user: id },
      subject: id,
      before: { state },
      after: { state: 'active' },
      effects: { accessOf: [id] },
    };
  },
});

function requireFrozen({ state }: TargetUser): void {
  if (state !== 'frozen') throw new ActRefused('user_not_frozen');
}

function requireDeleted({ state }: TargetUser): void {
  if (state !== 'closing' && state !== 'closed') throw new ActRefused('user_not_deleted');
}

/**
 * Refuses if no other administrator could act after the user. Locks the administrators, before the
 * target: two acts at once cannot stop the last two.
 */
export async function refuseLastAdmin({ connection }: ActContext, user: number): Promise<void> {
  const { rows } = await connection.query(
    `select id from users where role = 'admin' and state = 'active'
       and exists (select from users where id = $1 and role = 'admin')
     order by id for no key update`,
    [user],
  );
  const ids = rows.map(({ id }) => idOf<number>(id));
  if (ids.includes(user) && ids.length === 1) throw new ActRefused('last_administrator');
}

function assessWith(approvals: 0 | 1, rules: { readonly isPerson?: true } = {}) {
  return async (context: ActContext, { user }: UserPayload): Promise<Assessment> =>
    assessmentOf(await findTarget(context, user, rules), approvals);
}

function assessmentOf(target: TargetUser, approvals: 0 | 1): Assessment {
  return {
    object: objectOf(target.id),
    objectVersion: `${target.role} ${target.state} ${target.securityVersion}`,
    approvals,
    beneficiaries: [target.id],
    shown: userLabel(target),
  };
}

function portsOf({ nowMs, vault }: ActContext) {
  return {
    vault,
    clock: { nowMs: () => nowMs },
    identity: { countries: { countryOf: () => '' } },
  };
}
