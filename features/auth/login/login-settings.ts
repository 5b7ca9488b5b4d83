// Login rules that follow from the settings.

import { AddressList } from '../../../infra/access/index.ts';
import type { ServiceConfig } from '../../../infra/settings/index.ts';
import type { LoginSettings } from './open-session.ts';

export type LoginConfig = Pick<
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

export function loginSettingsOf(config: LoginConfig): LoginSettings {
  const operators = new AddressList(config.operatorAddresses, { hasAnyPrefix: true });
  return {
    blockedCountries: new Set(config.blockedCountries),
    attemptsPerAddressMax: config.loginsPerAddressMax,
    isOperatorAddress: (address) => operators.isEmpty || operators.has(address),
    operatorsNeedFactor: config.mode === 'production',
  };
}
