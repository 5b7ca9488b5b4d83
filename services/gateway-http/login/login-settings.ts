// The settings of logins and captchas, and the rules that follow from them.

import { CAPTCHA_KINDS, type LoginSettings } from '../../../domain/identity/index.ts';
import { AddressList } from '../../../infra/access/index.ts';
import {
  type ConfigOf,
  integer,
  list,
  oneOf,
  optional,
  type Setting,
  secret,
  text,
} from '../../../infra/process/index.ts';

export const loginSettings = {
  /** Countries whose addresses may not log in: two letters each. */
  blockedCountries: countries('RIALTO_BLOCKED_COUNTRIES'),
  /** A folder with newer files of countries than the installed ones. */
  countryFolder: optional(text('RIALTO_COUNTRY_FOLDER')),
  /** Addresses and networks from which operators may use their role; all if empty. */
  operatorAddresses: list('RIALTO_OPERATOR_ADDRESSES', { fallback: [], of: 'addresses' }),
  /** Logins that one address may try within two minutes. */
  loginsPerAddressMax: integer('RIALTO_LOGINS_PER_ADDRESS_MAX', {
    min: 1,
    max: 1_000_000,
    fallback: 10,
  }),
  captcha: oneOf('RIALTO_CAPTCHA', CAPTCHA_KINDS, 'proof_of_work'),
  /** `on`: every sign-up needs a captcha. */
  signupCaptcha: oneOf('RIALTO_SIGNUP_CAPTCHA', ['on', 'off'], 'off'),
  turnstileSecret: optional(secret('RIALTO_TURNSTILE_SECRET')),
  turnstileSiteKey: optional(text('RIALTO_TURNSTILE_SITE_KEY')),
  turnstileUrl: text('RIALTO_TURNSTILE_URL', {
    fallback: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    expected: 'the URL that verifies tokens',
  }),
};

export type LoginConfig = ConfigOf<typeof loginSettings> & {
  readonly mode: 'production' | 'development';
};

export function loginSettingsOf(config: LoginConfig): LoginSettings {
  const operators = new AddressList(config.operatorAddresses);
  return {
    blockedCountries: new Set(config.blockedCountries),
    attemptsPerAddressMax: config.loginsPerAddressMax,
    isOperatorAddress: (address) => operators.isEmpty || operators.has(address),
    operatorsNeedFactor: config.mode === 'production',
  };
}

function countries(name: string): Setting<readonly string[]> {
  return {
    name,
    expected: 'a comma-separated list of countries of two letters: DE,FR',
    fallback: { value: [] },
    read(found) {
      const codes = found.split(',').map((code) => code.trim().toUpperCase());
      return codes.every((code) => /^[A-Z]{2}$/.test(code)) ? codes : undefined;
    },
  };
}
