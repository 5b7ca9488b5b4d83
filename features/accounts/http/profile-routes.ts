// Handlers for an account: profile, balances, trades, settings, username, email address, and
// closing it. The rules are in features/auth and features/accounts.

import { withConnection } from '../../../infra/postgres/index.ts';
import {
  type Dependencies,
  type HandlersOf,
  JsonText,
  requireFresh,
} from '../../../platform/http/index.ts';
import { LANGUAGES } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type PersonCall, personContext, stopFrozen } from '../../auth/http/index.ts';
import {
  closeAccount,
  confirmEmailChange,
  deactivateAccount,
  freezeToken,
  requestEmailChange,
} from '../../auth/index.ts';
import { chooseUsername, replaceSettings } from '../profile.ts';
import { findContent } from './account-content.ts';
import { getUser, readBalance } from './user-profile.ts';
import { getUserTrades } from './user-trades.ts';

export const accountRoutes: HandlersOf<'account'> = {
  getUser,
  getUserTrades,

  async getBalance({ caller }, dependencies) {
    const behind = await requireFresh(dependencies);
    if (behind !== undefined) return behind;
    return new JsonText(await readBalance(dependencies, caller.user));
  },
};

const EMAIL_FREEZE_MS = 7 * 86_400_000;

export const profileRoutes: HandlersOf<'profile'> = {
  async changeSettings(call, dependencies) {
    const { body, caller } = call;
    const { language } = body;
    if (language !== undefined && !LANGUAGES.includes(language)) {
      return new Refused('language_unknown', { name: language });
    }
    const { isOtherLanguage } = await replaceSettings(dependencies.registry, caller.user, body);
    // Gateways cache the language of their callers, and no other setting.
    if (isOtherLanguage) announceUser(dependencies, call, { isRevoked: false });
    return getUser({ ...call, query: {}, body: undefined }, dependencies);
  },

  async chooseUsername({ body, caller }, { registry }) {
    const refused = await chooseUsername(registry, caller.user, body.username);
    if (refused !== undefined) return refused;
    return { message: 'Username successfully changed' };
  },

  async requestEmailChange(call, dependencies) {
    const { email, otp_code: otpCode = '' } = call.body;
    const person = personContext(call, dependencies);
    const refusal = await withConnection(dependencies.registry, (connection) =>
      requestEmailChange(connection, dependencies.vault, person, { email, otpCode }),
    );
    if (refusal !== undefined) return refusal;
    return { message: 'A code was sent to your old and your new email' };
  },

  async confirmEmailChange(call, dependencies) {
    const { new_code: newCode, old_code: oldCode } = call.body;
    const { registry, vault } = dependencies;
    const person = personContext(call, dependencies);
    const token = freezeToken(vault, person.user, person.nowMs, EMAIL_FREEZE_MS);
    const refusal = await withConnection(registry, (connection) =>
      confirmEmailChange(connection, vault, person, { oldCode, newCode, freezeToken: token }),
    );
    if (refusal !== undefined) return refusal;
    announceUser(dependencies, call, { isRevoked: true });
    return { message: 'Email successfully changed' };
  },

  deactivateUser,
  deactivateUserByPost: deactivateUser,

  async closeAccount(call, dependencies) {
    const { email_code: emailCode, otp_code: otpCode = '' } = call.body;
    const { registry, vault } = dependencies;
    const person = personContext(call, dependencies);
    const refusal = await withConnection(registry, (connection) =>
      closeAccount(connection, vault, person, {
        proofs: { otpCode, emailCode },
        findContent: (statements) => findContent(dependencies, statements, { user: person.user }),
      }),
    );
    if (refusal !== undefined) return refusal;
    announceUser(dependencies, call, { isRevoked: true });
    return { message: 'Your account is closing' };
  },
};

async function deactivateUser(call: PersonCall, dependencies: Dependencies) {
  const person = personContext(call, dependencies);
  const refusal = await withConnection(dependencies.registry, (connection) =>
    deactivateAccount(connection, dependencies, person, call.client),
  );
  if (refusal !== undefined) return refusal;
  const refused = await stopFrozen(dependencies, person.user);
  return refused ?? { message: 'Your account is deactivated' };
}

function announceUser(
  { changes }: Dependencies,
  { caller }: { readonly caller: { readonly user: Parameters<typeof replaceSettings>[1] } },
  { isRevoked }: { readonly isRevoked: boolean },
): void {
  changes.announce({ user: caller.user, key: 0, session: 0, isRevoked });
}
