// Dependencies of the handlers that serve identity: sign-up, login, second factors.

import { AddressList } from '../../infra/access/index.ts';
import type { Clock, Logger, Metrics } from '../../infra/process/index.ts';
import type { ServiceConfig } from '../../infra/settings/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import type { RelyingParty } from './factors/passkeys.ts';
import { type RelyingPartySettings, relyingPartyOf } from './factors/relying-party.ts';
import { Countries, type CountryLookup } from './login/countries.ts';
import type { LoginSettings } from './login/open-session.ts';
import { PasswordHasher } from './passwords/password-hasher.ts';
import { passwordHasherTelemetry } from './passwords/password-hasher-telemetry.ts';
import { Captcha } from './sign-up/captcha.ts';
import { turnstile } from './sign-up/turnstile.ts';

export interface AuthDependencies {
  readonly countries: CountryLookup;
  /** The exchange as seen by authenticators. */
  readonly relyingParty: RelyingParty;
  readonly hasher: PasswordHasher;
  readonly captcha: Captcha;
  readonly login: LoginSettings;
  /** Whether every sign-up needs a captcha. */
  readonly isSignupCaptchaDemanded: boolean;
  /** Sign-ups, resets and verifications per address within two minutes, each. */
  readonly callsPerAddressMax: number;
  readonly turnstileSiteKey: string | undefined;
}

export interface OpenAuthOptions {
  readonly config: RelyingPartySettings &
    LoginConfig & { readonly identityCallsMax: number; readonly modules: readonly string[] };
  readonly clock: Clock;
  readonly vault: Vault;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export function openAuth(options: OpenAuthOptions): AuthDependencies {
  const { clock, config, log, metrics, vault } = options;
  const { captcha: kind, turnstileSecret, turnstileUrl: url } = config;
  const verifier = turnstileSecret && turnstile({ url, secret: turnstileSecret.reveal(), log });
  const countries = new Countries(config.countryFolder);
  // Loading takes up to a second, which the first login must not wait for.
  const servesIdentity = config.modules.includes('identity');
  const isAlone = config.modules.length === 1;
  if (servesIdentity && (isAlone || config.mode === 'production')) countries.load();
  return {
    countries,
    relyingParty: relyingPartyOf(config),
    hasher: new PasswordHasher({ clock, watcher: passwordHasherTelemetry(metrics) }),
    captcha: new Captcha({ kind, vault, verifier }),
    login: loginSettingsOf(config),
    isSignupCaptchaDemanded: config.signupCaptcha === 'on',
    callsPerAddressMax: config.identityCallsMax,
    turnstileSiteKey: config.turnstileSiteKey,
  };
}

type LoginConfig = Pick<
  ServiceConfig<'gateway-http'>,
  | 'mode'
  | 'blockedCountries'
  | 'countryFolder'
  | 'operatorAddresses'
  | 'loginsPerAddressMax'
  | 'captcha'
  | 'signupCaptcha'
  | 'turnstileSecret'
  | 'turnstileSiteKey'
  | 'turnstileUrl'
>;

function loginSettingsOf(config: LoginConfig): LoginSettings {
  const operators = new AddressList(config.operatorAddresses, { hasAnyPrefix: true });
  return {
    blockedCountries: new Set(config.blockedCountries),
    attemptsPerAddressMax: config.loginsPerAddressMax,
    isOperatorAddress: (address) => operators.isEmpty || operators.has(address),
    operatorsNeedFactor: config.mode === 'production',
  };
}
