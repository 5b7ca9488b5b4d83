// Operator handlers for users. Each call is an action with its audit entry, and can need approval
// from another operator.

import type { UserId } from '../../../core/money/index.ts';
import {
  type Dependencies,
  type HandlersOf,
  momentFilter,
  requireFresh,
} from '../../../platform/http/index.ts';
import { decimal } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  answerAct,
  operatorOf,
  refuseOperatorFactor,
  refuseOperatorProofs,
} from '../../approvals/http/index.ts';
import {
  blockWithdrawalsAct,
  changeEmailAct,
  logoutEveryoneAct,
  resetFactorsAct,
  revokeSessionAct,
  setRoleAct,
  verifyEmailAct,
} from '../../auth/admin/index.ts';
import { stopFrozen } from '../../auth/http/index.ts';
import { checkPassword } from '../../auth/index.ts';
import { createAddressAct } from '../../payments/admin/index.ts';
import { requireDepositCoin, requireDepositTerms } from '../../payments/http/index.ts';
import { operatorUserJson, viewAfterAct } from '../../pii-access/http/index.ts';
import { readPerson } from '../../pii-access/index.ts';
import {
  deleteUserAct,
  freezeUserAct,
  restoreUserAct,
  unfreezeUserAct,
} from '../admin/account-state.ts';
import { createUserAct, newUserPayload } from '../admin/new-user.ts';
import {
  setDiscountAct,
  setLevelAct,
  setMetaAct,
  setNoteAct,
  toggleFlagAct,
  updateUserAct,
} from '../admin/profile.ts';
import { findUser } from '../users.ts';
import { findContent } from './account-content.ts';
import { listOperators } from './list-operators.ts';
import { personalChange } from './personal-change.ts';

const SUCCESS = { message: 'Success' };
/** Actions run one after another, so none waits long for the tables. */
const FRESH_IN_ACT_MS = 250;
/** Operators do not queue behind strangers' logins. */
const OPERATOR_DEVICE = { isKnownDevice: true };

export const userActsRoutes: HandlersOf<'userActs'> = {
  async createUser(call, dependencies) {
    const { email, password, referral = '' } = call.body;
    const { exchange, identity, vault } = dependencies;
    const owner = { email, exchangeName: exchange.name, isOperator: false };
    const weak = checkPassword(password, owner);
    if (weak !== undefined) return weak;
    const tag = await identity.hasher.hash(password, OPERATOR_DEVICE);
    const payload = newUserPayload(vault, { email, password: tag, referral });
    return answerAct(call, dependencies, createUserAct, payload, ({ user }) => ({
      ...SUCCESS,
      id: user,
    }));
  },

  updateUser(call, dependencies) {
    const user = requireUser(call);
    if (user instanceof Refused) return user;
    const payload = { user, change: personalChange(call.body) };
    return answerAct(call, dependencies, updateUserAct, payload, async ({ user }) => {
      const { clock, registry, vault } = dependencies;
      const person = await readPerson(registry, vault, user as UserId);
      if (person === undefined) return new Refused('user_not_found');
      const { permissions, powers, user: operator } = operatorOf(call);
      const { isClear } = await viewAfterAct(call, dependencies, person.user.id);
      const sight = { nowMs: clock.nowMs(), isClear, isNamed: false };
      return operatorUserJson(person, { permissions, powers, user: operator, ...sight });
    });
  },

  async deleteUser(call, dependencies) {
    const timeoutMs = FRESH_IN_ACT_MS;
    const act = deleteUserAct({
      findContent: (statements, user) => findContent(dependencies, statements, { user, timeoutMs }),
    });
    const behind = await requireFresh(dependencies);
    if (behind !== undefined) return behind;
    return answerAct(call, dependencies, act, userOf(call.body), () => SUCCESS);
  },

  restoreUser(call, dependencies) {
    return answerAct(call, dependencies, restoreUserAct, userOf(call.body), () => SUCCESS);
  },

  activateUser(call, dependencies) {
    const payload = userOf(call.body);
    const messageOf = async (state: string) => {
      const user = await requireFoundUser(dependencies, payload.user);
      if (user instanceof Refused) return user;
      const view = await viewAfterAct(call, dependencies, user.id);
      return { message: `Account ${view.email(user.email)} has been ${state}` };
    };
    if (call.body.activated) {
      return answerAct(call, dependencies, unfreezeUserAct, payload, () => messageOf('activated'));
    }
    return answerAct(call, dependencies, freezeUserAct, payload, async ({ user }) => {
      const refused = await stopFrozen(dependencies, user as UserId);
      if (refused !== undefined) return refused;
      return messageOf('deactivated');
    });
  },

  async setUserRole(call, dependencies) {
    const { otp_code: otpCode, role } = call.body;
    const user = requireUser(call);
    if (user instanceof Refused) return user;
    const payload = { user, role };
    const unproven = await refuseOperatorFactor(call, dependencies, otpCode);
    if (unproven !== undefined) return unproven;
    return answerAct(call, dependencies, setRoleAct, payload, () => SUCCESS);
  },

  setUserMeta(call, dependencies) {
    const { meta, overwrite = false } = call.body;
    const user = requireUser(call);
    if (user instanceof Refused) return user;
    const payload = { user, meta: JSON.stringify(meta), overwrite };
    return answerAct(call, dependencies, setMetaAct, payload, async ({ user }) => {
      const changed = await requireFoundUser(dependencies, user);
      if (changed instanceof Refused) return changed;
      const { email, id, meta: written } = changed;
      const view = await viewAfterAct(call, dependencies, id);
      return { ...SUCCESS, id, email: view.email(email), meta: written };
    });
  },

  setUserDiscount(call, dependencies) {
    const user = requireUser(call);
    if (user instanceof Refused) return user;
    const payload = { user, discount: `${call.body.discount}` };
    return answerAct(call, dependencies, setDiscountAct, payload, async ({ user }) => {
      const changed = await requireFoundUser(dependencies, user);
      if (changed instanceof Refused) return changed;
      return { ...SUCCESS, id: changed.id, discount: decimal(changed.discount) };
    });
  },

  setUserNote(call, dependencies) {
    const user = requireUser(call);
    if (user instanceof Refused) return user;
    const payload = { user, note: call.body.note };
    return answerAct(call, dependencies, setNoteAct, payload, () => SUCCESS);
  },

  upgradeUser(call, dependencies) {
    const payload = { ...userOf(call.body), level: call.body.verification_level };
    return answerAct(call, dependencies, setLevelAct, payload, () => SUCCESS);
  },

  resetFactors(call, dependencies) {
    return answerAct(call, dependencies, resetFactorsAct, userOf(call.body), () => SUCCESS);
  },

  verifyEmailOfUser(call, dependencies) {
    return answerAct(call, dependencies, verifyEmailAct, userOf(call.body), () => SUCCESS);
  },

  flagUser(call, dependencies) {
    return answerAct(call, dependencies, toggleFlagAct, userOf(call.body), ({ flagged }) => ({
      ...SUCCESS,
      flagged,
    }));
  },

  async changeEmailOfUser(call, dependencies) {
    const { email, email_code: emailCode, otp_code: otpCode, user_id: user } = call.body;
    const unproven = await refuseOperatorProofs(call, dependencies, { otpCode, emailCode });
    if (unproven !== undefined) return unproven;
    return answerAct(call, dependencies, changeEmailAct, { user, email }, () => SUCCESS);
  },

  revokeSessionOfUser(call, dependencies) {
    const payload = { session: call.body.session_id };
    return answerAct(call, dependencies, revokeSessionAct, payload, () => SUCCESS);
  },

  logOutEveryone(call, dependencies) {
    const { reason } = call.body;
    return answerAct(call, dependencies, logoutEveryoneAct, { reason }, ({ ended_at }) => ({
      ...SUCCESS,
      ended_at,
    }));
  },

  blockWithdrawals(call, dependencies) {
    const { expiry_date: given } = call.body;
    const until = given === null ? null : (momentFilter(given)?.toISOString() ?? null);
    const payload = { ...userOf(call.body), until };
    return answerAct(call, dependencies, blockWithdrawalsAct, payload, () => SUCCESS);
  },

  createAddressOfUser(call, dependencies) {
    const { crypto, network: wanted, user_id: user } = call.body;
    const coin = requireDepositCoin(dependencies, crypto);
    if (coin instanceof Refused) return coin;
    const terms = requireDepositTerms(coin, wanted);
    if (terms instanceof Refused) return terms;
    const { currency, network } = terms;
    const act = createAddressAct(dependencies.addresses);
    const payload = { user, currency, network };
    return answerAct(call, dependencies, act, payload, ({ address }) => ({
      ...SUCCESS,
      address,
      crypto: currency,
      network,
    }));
  },

  getOperators: listOperators,
};

function userOf(body: { readonly user_id: number }): { readonly user: number } {
  return { user: body.user_id };
}

/** The query names the user; older clients send it in the body. */
function requireUser(call: {
  readonly query: { readonly user_id?: number | undefined };
  readonly body: { readonly user_id?: number | undefined };
}): number | Refused<'request_invalid'> {
  const detail = 'Parameter (user_id) is required';
  return call.query.user_id ?? call.body.user_id ?? new Refused('request_invalid', { detail });
}

async function requireFoundUser({ registry }: Dependencies, user: number) {
  return (await findUser(registry, user as UserId)) ?? new Refused('user_not_found');
}
