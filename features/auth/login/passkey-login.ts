// Passkey login. A passkey verifies its user, so it counts as both factors; the rest is the same as
// with a password. The challenge belongs to the client that requested it.

import { createHash } from 'node:crypto';
import { inTransaction, type Pool, withConnection } from '../../../infra/postgres/index.ts';
import { type ChallengeUse, spendChallenge } from '../factors/challenges.ts';
import {
  type AuthenticationOptions,
  authenticationOptions,
  type RelyingParty,
  type SentCredential,
  usePasskey,
} from '../factors/passkeys.ts';
import type { IdentityClient } from '../person-context.ts';
import { chargeAddress } from '../throttles.ts';
import {
  finishLogin,
  isFromBlockedCountry,
  type LoginPorts,
  type OpenedLogin,
  type OpenRefusal,
  type RefusedLogin,
  record,
} from './open-session.ts';

export interface PasskeyLoginPorts extends LoginPorts {
  readonly identity: LoginPorts['identity'] & { readonly relyingParty: RelyingParty };
  readonly registry: Pool;
}

export interface PasskeyLogin {
  readonly challenge: string;
  readonly credential: SentCredential;
  readonly longTerm: boolean;
  readonly client: IdentityClient;
}

export interface PasskeyLoginRefused
  extends RefusedLogin<OpenRefusal | 'country_blocked' | 'rate_limit_exceeded' | 'passkey_wrong'> {
  readonly retryAfterS?: number;
}

/** The same for all users except for the challenge, so they reveal nothing about an account. */
export function passkeyLoginOptions(
  ports: PasskeyLoginPorts,
  client: IdentityClient,
): Promise<AuthenticationOptions> {
  const { identity, vault } = ports;
  return authenticationOptions(vault, {
    party: identity.relyingParty,
    use: challengeUse(ports, client),
  });
}

export async function logInWithPasskey(
  ports: PasskeyLoginPorts,
  { challenge, client, credential, longTerm }: PasskeyLogin,
): Promise<OpenedLogin | PasskeyLoginRefused> {
  const { clock, identity, registry, vault } = ports;
  if (isFromBlockedCountry(ports, client)) {
    return { kind: 'refused', refusal: 'country_blocked' };
  }
  const { attemptsPerAddressMax: attemptsMax } = identity.login;
  const budget = { network: client.network, attemptsMax, nowMs: clock.nowMs() };
  const retryAfterS = await chargeAddress(registry, vault, budget);
  if (retryAfterS > 0) return { kind: 'refused', refusal: 'rate_limit_exceeded', retryAfterS };

  // Spent before the signature is checked, even if the check fails.
  const use = challengeUse(ports, client);
  const isIssued = await spendChallenge(registry, vault, { ...use, challenge });
  const party = identity.relyingParty;
  return withConnection(registry, (connection) =>
    inTransaction(connection, async () => {
      const passkey = isIssued && (await usePasskey(connection, { party, challenge, credential }));
      if (!passkey) {
        const outcome = 'factor_wrong';
        await record(connection, ports, { user: undefined, client, outcome });
        return { kind: 'refused', refusal: 'passkey_wrong' };
      }
      const { user } = passkey;
      return finishLogin(connection, ports, { user, client, longTerm, factor: 'passkey' });
    }),
  );
}

// Browsers have a cookie; other clients are identified by their network. A browser that got its
// cookie after requesting the challenge is still identified by its network.
function challengeUse({ clock }: PasskeyLoginPorts, client: IdentityClient): ChallengeUse {
  const { flowToken, network } = client;
  const flows = [`network ${network}`];
  if (flowToken !== undefined) {
    flows.unshift(`cookie ${createHash('sha256').update(flowToken).digest('hex')}`);
  }
  return { purpose: 'passkey_login', user: 0, flows, nowMs: clock.nowMs() };
}
