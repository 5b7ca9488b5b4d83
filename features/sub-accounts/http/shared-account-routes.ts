// Handlers for shared accounts. The rules are in features/sub-accounts; this file converts requests
// and responses to their wire form and announces ended sessions after the commit.

import { type Connection, withConnection } from '../../../infra/postgres/index.ts';
import { answerEvenly, type Dependencies, type HandlersOf } from '../../../platform/http/index.ts';
import { type SharedAccount, timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type PersonCall, personContext } from '../../auth/http/index.ts';
import type { PersonContext } from '../../auth/index.ts';
import {
  enterSharedAccount,
  listAccessibleAccounts,
  listSharedAccounts,
  pauseSharedAccount,
  removeSharedAccount,
  resumeSharedAccount,
  type SharedAccountRow,
  shareAccount,
} from '../account-sharing.ts';
import { announceEnded, requireOwnAccount } from './sub-account-routes.ts';

export const sharedAccountsRoutes: HandlersOf<'sharedAccounts'> = {
  async getSharedAccounts({ caller, query }, { registry, vault }) {
    const refusal = requireOwnAccount(caller);
    if (refusal !== undefined) return refusal;
    const all = await listSharedAccounts(registry, vault, caller.user);
    const from = (query.page - 1) * query.limit;
    return { count: all.length, data: all.slice(from, from + query.limit).map(sharedAccountJson) };
  },

  async getAccessibleAccounts({ caller, query }, { registry }) {
    const refusal = requireOwnAccount(caller);
    if (refusal !== undefined) return refusal;
    const { count, data } = await listAccessibleAccounts(registry, caller.user, query);
    return { count, data: data.map(sharedAccountJson) };
  },

  /** The same response, at the same time, for addresses with and without an account. */
  shareAccount(call, dependencies) {
    const { email, email_code: emailCode, label = '', otp_code: otpCode } = call.body;
    const proofs = { otpCode, emailCode };
    const { clock, registry, vault } = dependencies;
    const person = personContext(call, dependencies);
    return answerEvenly(clock, async () => {
      const shared = await withConnection(registry, (connection) =>
        shareAccount(connection, vault, person, { email, label: label.trim(), proofs }),
      );
      return shared instanceof Refused ? shared : sharedAccountJson(shared);
    });
  },

  async enterSharedAccount(call, dependencies) {
    const { changes, exchange, registry, vault } = dependencies;
    const { address: ip, userAgent } = call.client;
    const entering = {
      person: personContext(call, dependencies),
      ip,
      userAgent,
      exchangeName: exchange.name,
    };
    const entered = await withConnection(registry, (connection) =>
      enterSharedAccount(connection, vault, call.body.sharedaccount_id, entering),
    );
    if (entered instanceof Refused) return entered;
    announceEnded(changes, entered.owner, entered.ended);
    return { token: entered.token };
  },

  pauseSharedAccount: (call, dependencies) => change(call, dependencies, pauseSharedAccount),
  resumeSharedAccount(call, dependencies) {
    const { email_code: emailCode, otp_code: otpCode } = call.body;
    const proofs = { otpCode, emailCode };
    return change(call, dependencies, (connection, person, id) =>
      resumeSharedAccount(connection, dependencies.vault, person, { id, proofs }),
    );
  },
  removeSharedAccount: (call, dependencies) => change(call, dependencies, removeSharedAccount),
};

type NamedCall = PersonCall & { readonly body: { readonly sharedaccount_id: number } };

async function change(
  call: NamedCall,
  dependencies: Dependencies,
  work: (
    connection: Connection,
    person: PersonContext,
    id: number,
  ) => ReturnType<typeof pauseSharedAccount>,
) {
  const changed = await withConnection(dependencies.registry, (connection) =>
    work(connection, personContext(call, dependencies), call.body.sharedaccount_id),
  );
  if (changed instanceof Refused) return changed;
  announceEnded(dependencies.changes, changed.owner, changed.ended);
  return { message: 'Success' };
}

function sharedAccountJson(shared: SharedAccountRow): SharedAccount {
  const { createdAt, email, id, isPaused, label } = shared;
  return { id, email, label, active: !isPaused, created_at: timeText(createdAt.getTime()) };
}
