// The dependencies of the handlers that serve identity: sign-up, login, second factors.

import { Countries, type CountryLookup, type RelyingParty } from '../../domain/identity/index.ts';
import { type RelyingPartySettings, relyingPartyOf } from './factors/relying-party.ts';

export interface IdentityDependencies {
  readonly countries: CountryLookup;
  /** The exchange, as authenticators know it. */
  readonly relyingParty: RelyingParty;
}

export function openIdentity(config: RelyingPartySettings): IdentityDependencies {
  return { countries: new Countries(), relyingParty: relyingPartyOf(config) };
}
