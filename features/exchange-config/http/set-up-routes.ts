// Handlers for setup and control: the first administrator, the control mode, and key grants.

import { withConnection } from '../../../infra/postgres/index.ts';
import type { Dependencies, HandlersOf } from '../../../platform/http/index.ts';
import { decimal } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { isEmailAddress, normalEmail } from '../../accounts/index.ts';
import {
  changeControlMode,
  changeThresholds,
  completeSetup,
  grantKey,
} from '../../approvals/admin/index.ts';
import { answerAct, plainDecimal } from '../../approvals/http/index.ts';
import { countAdministrators, listKeyGrants, readControl } from '../../approvals/index.ts';
import { chargeAddress, checkPassword } from '../../auth/index.ts';
import { createFirstAdministrator, isSetupToken } from '../first-administrator.ts';

/** An unknown device. */
const STRANGER = { isKnownDevice: false };

export const setUpRoutes: HandlersOf<'setUp'> = {
  async signUpAdministrator({ address, body, client }, dependencies) {
    const { clock, exchange, identity, registry, vault } = dependencies;
    const { email, password: text, token } = body;
    const retryAfterS = await chargeAddress(registry, vault, {
      network: `set-up ${client.network}`,
      attemptsMax: identity.callsPerAddressMax,
      nowMs: clock.nowMs(),
    });
    if (retryAfterS > 0) return new Refused('rate_limit_exceeded', {}, retryAfterS);
    if (!(await isSetupToken(registry, token))) return new Refused('setup_token_invalid');
    if (!isEmailAddress(normalEmail(email))) return new Refused('email_invalid');
    const owner = { email, exchangeName: exchange.name, isOperator: true };
    const weak = checkPassword(text, owner);
    if (weak !== undefined) return weak;
    const password = await identity.hasher.hash(text, STRANGER);
    const made = await withConnection(registry, (connection) =>
      createFirstAdministrator(connection, vault, {
        email,
        password,
        token,
        address,
        nowMs: clock.nowMs(),
      }),
    );
    if (made instanceof Refused) return made;
    return { message: 'Success' };
  },

  completeSetup: (call, dependencies) =>
    answerAct(call, dependencies, completeSetup, {}, () => ({ message: 'Success' })),

  getControl: (_call, dependencies) => controlJson(dependencies),

  changeControlMode: (call, dependencies) =>
    answerAct(call, dependencies, changeControlMode, { mode: call.body.mode }, () =>
      controlJson(dependencies),
    ),

  changeThresholds(call, dependencies) {
    const { currency = null, notify_from: notify } = call.body;
    const oneApprovalFrom = plainDecimal(call.body.one_approval_from);
    if (oneApprovalFrom instanceof Refused) return oneApprovalFrom;
    const twoApprovalsFrom = plainDecimal(call.body.two_approvals_from);
    if (twoApprovalsFrom instanceof Refused) return twoApprovalsFrom;
    const notifyFrom = notify === undefined ? null : plainDecimal(notify);
    if (notifyFrom instanceof Refused) return notifyFrom;
    const wanted = { oneApprovalFrom, twoApprovalsFrom, notifyFrom, currency };
    return answerAct(call, dependencies, changeThresholds, wanted, () => controlJson(dependencies));
  },

  getKeyGrants: (_call, dependencies) => keyGrantsJson(dependencies),

  changeKeyGrant(call, dependencies) {
    const { daily_limit: limit, key_id: key, may_read_personal: mayReadPersonal } = call.body;
    const dailyLimit = limit === null ? null : plainDecimal(limit);
    if (dailyLimit instanceof Refused) return dailyLimit;
    const wanted = { key, dailyLimit, mayReadPersonal };
    return answerAct(call, dependencies, grantKey, wanted, () => keyGrantsJson(dependencies));
  },
};

async function controlJson({ registry }: Dependencies) {
  const control = await readControl(registry);
  return {
    mode: control.mode,
    administrators: await countAdministrators(registry),
    one_approval_from: decimal(control.oneApprovalFrom),
    two_approvals_from: decimal(control.twoApprovalsFrom),
    notify_from: decimal(control.notifyFrom),
    currency: control.currency,
    solo_from: control.soloFrom?.toISOString() ?? null,
    chosen_at: control.chosenAt?.toISOString() ?? null,
  };
}

async function keyGrantsJson({ registry }: Dependencies) {
  const grants = await listKeyGrants(registry);
  const data = grants.map((grant) => ({
    key_id: grant.key,
    key_name: grant.keyName,
    user_id: grant.owner,
    daily_limit: grant.dailyLimit === null ? null : decimal(grant.dailyLimit),
    may_read_personal: grant.mayReadPersonal,
    granted_by: grant.grantedBy,
    granted_at: grant.grantedAt.toISOString(),
  }));
  return { count: data.length, data };
}
