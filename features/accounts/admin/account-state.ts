// Operator actions that stop or restore an account: freeze and unfreeze, delete and restore.
// Stopping needs no approval; undoing it does.

import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  type ActContext,
  type Assessment,
  defineAct,
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

/** A frozen account does not change. */
const FREEZABLE = ['active', 'closing', 'frozen'];
const DELETABLE = ['active', 'frozen', 'unverified'];
/** Hides the operator's location and device from the user. */
const NOWHERE: IdentityClient = { address: '', network: '', userAgent: '', isBrowserApp: false };

/** After the commit the caller stops the account's activity. Can be repeated. */
export const freezeUserAct = defineAct({
  name: 'user.freeze',
  votePower: 'approve.access',
  async prepare(context: ActContext, { user }: UserPayload) {
    const isLast = await isLastAdministrator(context, user);
    const target = await lockTarget(context, user);
    if (target instanceof Refused) return target;
    if (isLast) return new Refused('last_administrator');
    const { id, state } = target;
    if (!FREEZABLE.includes(state)) return new Refused('user_not_in_use', { state });
    return {
      ...assessmentOf(target, 0),
      async run() {
        const frozen = { user: id, client: NOWHERE };
        if (state !== 'frozen') await freezeUser(context.connection, portsOf(context), frozen);
        return {
          result: { user: id },
          subject: id,
          before: { state },
          after: { state: 'frozen' },
          effects: { accessOf: [id] },
        };
      },
    };
  },
});

export const unfreezeUserAct = defineAct({
  name: 'user.unfreeze',
  votePower: 'approve.access',
  async prepare(context: ActContext, { user }: UserPayload) {
    const target = await lockTarget(context, user);
    if (target instanceof Refused) return target;
    if (target.state !== 'frozen') return new Refused('user_not_frozen');
    const { id } = target;
    return {
      ...guardVoter(target, assessmentOf(target, 1)),
      async run() {
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
    };
  },
});

export interface DeletionPorts {
  /**
   * Returns what is in the account: transfers in progress, balances, orders. The account is locked
   * during the call, and the result must include everything that happened before it.
   */
  findContent(
    statements: Statements,
    user: TargetUser['id'],
  ): Promise<readonly string[] | Refused<'tables_behind'>>;
}

/**
 * active, frozen or unverified ──▶ closing, as if the owner had deleted the account. The email
 * address stays, because a late deposit reactivates the account and its owner must reach it.
 */
export function deleteUserAct({ findContent }: DeletionPorts) {
  return defineAct({
    name: 'user.delete',
    votePower: 'approve.access',
    async prepare(context: ActContext, { user }: UserPayload) {
      const { connection } = context;
      const target = await lockTarget(context, user, { isPerson: true });
      if (target instanceof Refused) return target;
      const { id, role, state } = target;
      if (role !== null) return new Refused('operator_account_fixed');
      if (!DELETABLE.includes(state)) return new Refused('user_not_in_use', { state });
      const found = await findContent(connection, id);
      if (found instanceof Refused) return found;
      const hasSubs = await hasSubAccounts(connection, id);
      const content = [...(hasSubs ? ['a sub-account'] : []), ...found];
      if (content.length > 0) {
        return new Refused('account_not_empty', { detail: content.join(', ') });
      }
      return {
        ...assessmentOf(target, 0),
        async run() {
          await closeUser(context, target);
          return {
            result: { user: id },
            subject: id,
            before: { state },
            after: { state: 'closing' },
            effects: { accessOf: [id] },
          };
        },
      };
    },
  });
}

async function closeUser(
  { connection, nowMs, vault }: ActContext,
  { email: to, id: user, language }: TargetUser,
): Promise<void> {
  await startClosing(connection, user);
  const reason = 'account_closing';
  await applySecurityChange(connection, { user, reason, holdMs: 0, suspendsKeys: true });
  const closesOn = new Date(nowMs + CLOSING_MS).toISOString().slice(0, 10);
  const values = { ...operatorCircumstances(vault, { user, nowMs }), closesOn };
  await enqueueMail(connection, vault, { user, to, language, kind: 'account_closing', values });
}

/** Suspended keys stay suspended; their owner creates new ones. */
export const restoreUserAct = defineAct({
  name: 'user.restore',
  votePower: 'approve.access',
  async prepare(context: ActContext, { user }: UserPayload) {
    const target = await lockTarget(context, user, { isPerson: true });
    if (target instanceof Refused) return target;
    const { id, state } = target;
    if (state !== 'closing' && state !== 'closed') return new Refused('user_not_deleted');
    return {
      ...guardVoter(target, assessmentOf(target, 1)),
      async run() {
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
    };
  },
});

/**
 * Whether no other administrator could act after the user. Locks the administrators. Call it before
 * locking the target, so two concurrent actions cannot stop the last two.
 */
export async function isLastAdministrator(
  { connection }: ActContext,
  user: number,
): Promise<boolean> {
  const { rows } = await connection.query(
    `select id from users where role = 'admin' and state = 'active'
       and exists (select from users where id = $1 and role = 'admin')
     order by id for no key update`,
    [user],
  );
  const ids = rows.map(({ id }) => idOf<number>(id));
  return ids.includes(user) && ids.length === 1;
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
