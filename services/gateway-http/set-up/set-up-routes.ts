// The routes of set-up. The rules are in domain/set-up.

import { isEmailAddress, normalEmail } from '../../../domain/accounts/index.ts';
import { chargeAddress, checkPassword } from '../../../domain/identity/index.ts';
import { createFirstAdministrator } from '../../../domain/set-up/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { HandlersOf } from '../handler.ts';

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
    if (retryAfterS > 0) throw new ApiRefusal('rate_limit_exceeded', {}, retryAfterS);
    if (!isEmailAddress(normalEmail(email))) throw new ApiRefusal('email_invalid');
    const owner = { email, exchangeName: exchange.name, isOperator: true };
    const weak = checkPassword(text, owner);
    if (weak !== undefined) throw new ApiRefusal(weak);
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
    if (made === 'email_taken') throw new ApiRefusal('setup_email_taken');
    if (typeof made === 'string') throw new ApiRefusal(made);
    return { message: 'Success' };
  },
};
