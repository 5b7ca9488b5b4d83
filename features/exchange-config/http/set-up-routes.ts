// The routes of set-up: the first administrator, and how many people control the exchange.

import { withConnection } from '../../../infra/postgres/index.ts';
import type { Dependencies, HandlersOf } from '../../../platform/http/index.ts';
import { decimal } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { isEmailAddress, normalEmail } from '../../accounts/index.ts';
import {
  changeControlMode,
  changeThresholds,
  completeSetup,
  singleOperatorFrom,
} from '../../approvals/admin/index.ts';
import { answerAct, plainDecimal } from '../../approvals/http/index.ts';
import { countAdministrators, readControl } from '../../approvals/index.ts';
import { chargeAddress, checkPassword } from '../../auth/index.ts';
import { createFirstAdministrator, isSetupToken } from '../first-administrator.ts';

/** A stranger's device. */
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
    const { currency = null, one_approval_from: one, two_approvals_from: two } = call.body;
    const [oneApprovalFrom, twoApprovalsFrom] = [plainDecimal(one), plainDecimal(two)];
    if (oneApprovalFrom instanceof Refused) return oneApprovalFrom;
    if (twoApprovalsFrom instanceof Refused) return twoApprovalsFrom;
    const amounts = { oneApprovalFrom, twoApprovalsFrom };
    const wanted = { ...amounts, currency };
    return answerAct(call, dependencies, changeThresholds, wanted, () => controlJson(dependencies));
  },
};

async function controlJson({ registry }: Dependencies) {
  const { currency, mode, oneApprovalFrom, twoApprovalsFrom } = await readControl(registry);
  const from = await singleOperatorFrom(registry);
  return {
    mode,
    administrators: await countAdministrators(registry),
    one_approval_from: decimal(oneApprovalFrom),
    two_approvals_from: decimal(twoApprovalsFrom),
    currency,
    single_operator_from: from?.toISOString() ?? null,
  };
}
