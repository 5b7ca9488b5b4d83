// Errors for sign-up, login and credentials. Web clients sign out on 401, so a wrong code in an
// open session is 400. Until the password is proven, no error reveals whether an account exists.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const identityErrors = {
  signup_closed: { status: 400, code: 17, text: 'Sign-up is currently closed' },
  invitation_invalid: {
    status: 400,
    code: 2300,
    text:
      'Sign-up is by invitation only. This invitation is missing, used, expired or for another ' +
      'address',
  },
  password_weak: {
    status: 400,
    code: 29,
    text: 'Invalid password: use 8 to 128 characters and avoid common passwords',
  },
  password_weak_for_operator: {
    status: 400,
    code: 2301,
    audience: 'operators',
    text: 'Invalid password: operators need at least 15 characters',
  },
  password_unchanged: {
    status: 400,
    code: 134,
    text: 'The new password must be different from the old one',
  },
  old_password_wrong: { status: 400, code: 2350, text: 'The current password is wrong' },
  email_invalid: { status: 400, code: 31, text: 'Provide a valid email' },
  captcha_invalid: { status: 400, code: 82, text: 'Invalid captcha: {detail}' },

  country_blocked: {
    status: 403,
    code: 2302,
    text: 'This exchange is not available in your country',
  },
  credentials_wrong: { status: 401, code: 22, text: 'Credentials incorrect' },
  credentials_wrong_3_left: {
    status: 401,
    code: 25,
    text: 'Credentials incorrect. You have 3 more login attempts left',
  },
  credentials_wrong_2_left: {
    status: 401,
    code: 26,
    text: 'Credentials incorrect. You have 2 more login attempts left',
  },
  credentials_wrong_1_left: {
    status: 401,
    code: 27,
    text: 'Credentials incorrect. You have 1 more login attempt left',
  },
  login_blocked: {
    status: 401,
    code: 170,
    text: 'Too many failed login attempts. Try again later or reset your password',
  },
  email_not_verified: { status: 401, code: 16, text: 'Please verify your email address' },
  user_not_verified: { status: 401, code: 18, text: 'User is not verified' },
  user_not_activated: { status: 401, code: 19, text: 'User is not activated' },
  otp_wrong: { status: 401, code: 52, text: 'Invalid OTP Code' },
  passkey_needed: {
    status: 401,
    code: 2330,
    text: 'Log in with your passkey, or send a recovery code as the OTP code',
  },
  login_suspicious: {
    status: 401,
    code: 207,
    text: 'Suspicious login detected. Confirm it with the link we sent to your email',
  },
  passkey_wrong: { status: 401, code: 2303, text: 'The passkey was not accepted' },
  login_queue_full: {
    status: 503,
    code: 2304,
    text: 'Too many people are logging in right now. Try again in a moment',
  },

  code_wrong: { status: 400, code: 33, text: 'Invalid verification code' },
  code_expired: { status: 400, code: 143, text: 'The verification code has expired' },
  code_used: { status: 400, code: 136, text: 'This code has already been used' },
  code_tries_exhausted: {
    status: 400,
    code: 2305,
    text: 'Too many wrong codes. Request a new one',
  },
  email_already_verified: {
    status: 400,
    code: 142,
    text: 'This email address is already verified',
  },

  factor_wrong: {
    status: 400,
    code: 2306,
    text: 'Invalid OTP Code: it is wrong or has already been used',
  },
  factor_blocked: {
    status: 429,
    code: 2307,
    text: 'Too many wrong OTP codes. Try again later',
  },
  otp_not_enabled: {
    status: 400,
    code: 51,
    text: 'OTP or a passkey must be enabled to manage API keys',
  },
  otp_not_requested: {
    status: 400,
    code: 53,
    text: 'No second factor found: request an OTP secret or add a passkey first',
  },
  otp_already_enabled: { status: 400, code: 2308, text: 'OTP is already enabled' },
  last_password_too_old: {
    status: 403,
    code: 2309,
    text:
      'Log in again: this requires a password or second factor confirmed within the last 5 ' +
      'minutes',
  },
  passkey_not_accepted: { status: 400, code: 2310, text: 'The passkey was not accepted' },
  passkeys_too_many: {
    status: 400,
    code: 2311,
    text: 'You have reached the maximum of {max} passkeys',
  },
  passkey_not_found: { status: 404, code: 2312, text: 'Passkey not found' },
  device_not_found: { status: 404, code: 2313, text: 'Device not found' },
  session_not_found: { status: 404, code: 2314, text: 'Session not found' },
  session_of_person_needed: {
    status: 403,
    code: 2315,
    text: 'Only the account holder can do this, in a direct login session',
  },

  key_not_found: { status: 404, code: 48, text: 'Token not found' },
  key_already_revoked: { status: 400, code: 49, text: 'Token is already revoked' },
  keys_too_many: {
    status: 400,
    code: 2316,
    text: 'You have reached the maximum of {max} API keys',
  },
  key_name_invalid: { status: 400, code: 2317, text: 'The name must have 1 to 64 characters' },
  key_addresses_invalid: {
    status: 400,
    code: 2318,
    text: 'Invalid IP address list: use at most {max} IPv4 or IPv6 addresses',
  },
  key_withdraw_needs_addresses: {
    status: 400,
    code: 2319,
    text: 'A key that can withdraw needs an IP address list or must be limited to the address book',
  },
  key_admin_whitelist_needed: {
    status: 400,
    code: 164,
    audience: 'operators',
    text: 'An admin key needs at least one whitelisted IP address',
  },
  key_admin_whitelist_fixed: {
    status: 400,
    code: 163,
    audience: 'operators',
    text: 'The IP whitelist of an admin key cannot be disabled',
  },
  key_verifying_key_invalid: {
    status: 400,
    code: 2320,
    text: 'Invalid Ed25519 public key: send its 32 bytes in base64',
  },
  key_expiry_invalid: {
    status: 400,
    code: 2340,
    text: 'Invalid expiry: choose a time within the next {days} days',
  },
  key_scope_exceeds_account: {
    status: 403,
    code: 2321,
    text: 'The account itself does not have this permission',
  },

  username_invalid: {
    status: 400,
    code: 83,
    text: 'Invalid username: use 3 to 15 characters from a-z, 0-9 and _',
  },
  username_fixed: { status: 400, code: 84, text: 'The username can only be changed once' },
  username_taken: { status: 400, code: 85, text: 'This username is already taken' },
  language_unknown: { status: 400, code: 2322, text: 'Unknown language: {name}' },
  email_unchanged: {
    status: 400,
    code: 213,
    text: 'The new email address is the same as the current one',
  },
  email_taken: { status: 400, code: 214, text: 'This email address is already in use' },
  operator_account_fixed: {
    status: 400,
    code: 144,
    audience: 'operators',
    text: 'Remove the operator role before deactivating or deleting this account',
  },
  account_not_empty: {
    status: 400,
    code: 2323,
    text: 'The account cannot be deleted because it still has {detail}',
  },
} as const satisfies ErrorTable;
