// The routes of shared accounts. The rules are in features/sub-accounts; here requests and answers
// get their wire form, and ended sessions are announced after the commit.

import { type Connection, withConnection } from '../../../infra/postgres/index.ts';
import {
  ApiRefusal,
  answerEvenly,
  type Dependencies,
  type HandlersOf,
} from '../../../platform/http/index.ts';
import { type SharedAccount, timeText } from '../../../protocol/index.ts';
import { actOf, mailsRefused, type PersonCall } from '../../auth/http/index.ts';
import type { Act } from '../../auth/index.ts';
import {
  enterSharedAccount,
  listAccessibleAccounts,
  listSharedAccounts,
  pauseSharedAccount,
  removeSharedAccount,
  resumeSharedAccount,
  SHARED_ACCOUNTS_MAX,
  type SharedAccountRefusal,
  type SharedAccountRow,
  shareAccount,
} from '../account-sharing.ts';
import { announceEnded, requireOwnAccount } from './own-account.ts';

export const sharedAccountsRoutes: HandlersOf<'sharedAccounts'> = {
  async getSharedAccounts({ caller, query }, { registry, vault }) {
    requireOwnAccount(caller);
    const all = await listSharedAccounts(registry, vault, caller.user);
    const from = (query.page - 1) * query.limit;
    return { count: all.length, data: all.slice(from, from + query.limit).map(sharedAccountJson) };
  },

  async getAccessibleAccounts({ caller, query }, { registry }) {
    requireOwnAccount(caller);
    const { count, data } = await listAccessibleAccounts(registry, caller.user, query);
    return { count, data: data.map(sharedAccountJson) };
  },

  /** Equal for addresses with and without an account, also in time. */
  shareAccount(call, dependencies) {
    const { email, email_code: emailCode, label = '', otp_code: otpCode } = call.body;
    const proofs = { otpCode, emailCode };
    const { clock, registry, vault } = dependencies;
    const act = actOf(call, dependencies);
    return answerEvenly(clock, async () => {
      const shared = await withConnection(registry, (connection) =>
        shareAccount(connection, vault, act, { email, label: label.trim(), proofs }),
      );
      if (typeof shared === 'string') throw refused(shared);
      if ('refusal' in shared) throw mailsRefused(shared);
      return sharedAccountJson(shared);
    });
  },

  async enterSharedAccount(call, dependencies) {
    const { changes, exchange, registry, vault } = dependencies;
    const { address: ip, userAgent } = call.client;
    const entering = { act: actOf(call, dependencies), ip, userAgent, exchangeName: exchange.name };
    const entered = await withConnection(registry, (connection) =>
      enterSharedAccount(connection, vault, call.body.sharedaccount_id, entering),
    );
    if (typeof entered === 'string') throw refused(entered);
    announceEnded(changes, entered.owner, entered.ended);
    return { token: entered.token };
  },

  pauseSharedAccount: (call, dependencies) => change(call, dependencies, pauseSharedAccount),
  resumeSharedAccount(call, dependencies) {
    const { email_code: emailCode, otp_code: otpCode } = call.body;
    const proofs = { otpCode, emailCode };
    return change(call, dependencies, (connection, act, id) =>
      resumeSharedAccount(connection, dependencies.vault, act, { id, proofs }),
    );
  },
  removeSharedAccount: (call, dependencies) => change(call, dependencies, removeSharedAccount),
};

type NamedCall = PersonCall & { readonly body: { readonly sharedaccount_id: number } };

async function change(
  call: NamedCall,
  dependencies: Dependencies,
  act: (connection: Connection, act: Act, id: number) => ReturnType<typeof pauseSharedAccount>,
): Promise<{ message: string }> {
  const changed = await withConnection(dependencies.registry, (connection) =>
    act(connection, actOf(call, dependencies), call.body.sharedaccount_id),
  );
  if (typeof changed === 'string') throw refused(changed);
  announceEnded(dependencies.changes, changed.owner, changed.ended);
  return { message: 'Success' };
}

function refused(refusal: SharedAccountRefusal): ApiRefusal {
  return new ApiRefusal(refusal, { max: SHARED_ACCOUNTS_MAX });
}

function sharedAccountJson(shared: SharedAccountRow): SharedAccount {
  const { createdAt, email, id, isPaused, label } = shared;
  return { id, email, label, active: !isPaused, created_at: timeText(createdAt.getTime()) };
}
