// Values for previews and tests: one example of each kind of mail.

import type { Circumstances, CodeValues, MailKind, MailValues } from './mail-kinds.ts';

const CIRCUMSTANCES: Circumstances = {
  time: '2026-11-15T19:36:00.000Z',
  ip: '203.0.113.17',
  country: 'PT',
  device: 'Firefox 150 on Linux',
  freezeToken: '5f0c2c4e-7d3a-4b8e-9a41-6c2d8e9b7f10',
};
const NOTHING_TO_FREEZE = { ...CIRCUMSTANCES, freezeToken: '' };
const LINK: CodeValues = {
  ...CIRCUMSTANCES,
  code: '8c1d5b0e-2f6a-4c7b-b3d9-0e4f6a8c2d11',
  form: 'v2',
};
const SHORT: CodeValues = { ...CIRCUMSTANCES, code: 'KM-48213', form: 'v3' };
const DIGITS: CodeValues = { ...CIRCUMSTANCES, code: '482137', form: 'v4' };
const LONG: CodeValues = { ...CIRCUMSTANCES, code: 'KQ7M2XWB9RTH4CVZ8NPE', form: 'v5' };
const KEY = { ...CIRCUMSTANCES, name: 'market maker', permissions: 'read, trade' };

export const EXAMPLE_VALUES: { readonly [Kind in MailKind]: MailValues[Kind] } = {
  verify_email: { ...LINK, freezeToken: '' },
  already_registered: NOTHING_TO_FREEZE,
  welcome: NOTHING_TO_FREEZE,
  reset_password: DIGITS,
  change_password: LINK,
  password_changed: CIRCUMSTANCES,
  confirm_action: LONG,
  new_device: CIRCUMSTANCES,
  suspicious_login: SHORT,
  password_known: CIRCUMSTANCES,
  factor_added: { ...CIRCUMSTANCES, factor: 'passkey' },
  factor_removed: { ...CIRCUMSTANCES, factor: 'otp' },
  recovery_code_used: CIRCUMSTANCES,
  api_key_created: KEY,
  api_key_changed: KEY,
  api_key_revoked: { ...CIRCUMSTANCES, name: 'market maker' },
  email_change_old: { ...DIGITS, newEmail: 'new.address@example.com' },
  email_change_new: { ...LINK, freezeToken: '' },
  email_changed: CIRCUMSTANCES,
  account_frozen: NOTHING_TO_FREEZE,
  account_unfrozen: CIRCUMSTANCES,
  account_closing: { ...CIRCUMSTANCES, closesOn: '2026-11-29T00:00:00.000Z' },
  account_erased: NOTHING_TO_FREEZE,
  invitation: { code: 'RIALTO-7K2M-9QXW', validUntil: '2026-12-15T00:00:00.000Z' },
};

export const MAIL_KINDS = Object.keys(EXAMPLE_VALUES) as readonly MailKind[];
