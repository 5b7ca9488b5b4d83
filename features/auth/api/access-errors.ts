// Authentication and permission errors. Web clients sign out on 401, so a missing permission is
// 403, and a request that was already sent is 409.
// Clients match the doubled prefix.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const accessErrors = {
  several_credentials: {
    status: 401,
    code: 91,
    audience: 'programs',
    text: 'Access denied: Multiple authentication methods were sent',
  },
  credentials_missing: { status: 401, code: 162, text: 'Access denied: no auth token sent' },
  cookie_from_other_page: {
    status: 403,
    code: 2003,
    audience: 'programs',
    text:
      'Access denied: a session cookie requires the header x-rialto-client: 1 and a page ' +
      'served by this exchange',
  },
  token_type_not_allowed: {
    status: 401,
    code: 161,
    audience: 'programs',
    text: 'Access denied: invalid token type',
  },
  session_needed: {
    status: 403,
    code: 2018,
    audience: 'programs',
    text: 'Access denied: API keys cannot do this. Sign in and use a session',
  },

  key_missing: {
    status: 401,
    code: 92,
    audience: 'programs',
    text: 'Access denied: Access Denied: API key is missing',
  },
  signature_missing: {
    status: 401,
    code: 94,
    audience: 'programs',
    text: 'Access denied: Access Denied: API signature is missing',
  },
  expires_invalid: {
    status: 401,
    code: 2000,
    audience: 'programs',
    text: 'Access denied: Access Denied: api-expires must be a Unix time in whole seconds',
  },
  request_expired: {
    status: 401,
    code: 93,
    audience: 'programs',
    text: 'Access denied: Access Denied: API request is expired',
  },
  expires_too_far: {
    status: 401,
    code: 2001,
    audience: 'programs',
    text: 'Access denied: Access Denied: api-expires is too far in the future',
  },
  key_unknown: {
    status: 401,
    code: 95,
    audience: 'programs',
    text: 'Access denied: Access Denied: Invalid API key',
  },
  address_not_allowed: {
    status: 401,
    code: 97,
    audience: 'programs',
    text: 'Access denied: Access Denied: This IP address is not allowed for the API key',
  },
  key_expired: {
    status: 401,
    code: 98,
    audience: 'programs',
    text: 'Access denied: Access Denied: API key is expired',
  },
  key_inactive: {
    status: 401,
    code: 99,
    audience: 'programs',
    text: 'Access denied: Access Denied: API key is not active',
  },
  signature_wrong: {
    status: 401,
    code: 100,
    audience: 'programs',
    text: 'Access denied: Access Denied: Invalid API signature',
  },
  signature_replayed: {
    status: 409,
    code: 2002,
    audience: 'programs',
    text: 'Access denied: Access Denied: API signature has already been used',
  },

  session_unknown: { status: 401, code: 165, text: 'Access denied: Session not found' },
  session_revoked: { status: 401, code: 166, text: 'Access denied: Token is already revoked' },
  session_expired: { status: 401, code: 127, text: 'Access denied: Token is expired' },
  session_invalid: {
    status: 401,
    code: 128,
    audience: 'programs',
    text: 'Access denied: Invalid token',
  },
  account_deactivated: {
    status: 401,
    code: 129,
    text: 'Access denied: This account is deactivated',
  },

  scope_missing: {
    status: 403,
    code: 96,
    audience: 'programs',
    text: 'Access denied: Access Denied: API key is not authorized to access this endpoint',
  },
  role_missing: {
    status: 403,
    code: 126,
    text: 'Access denied: User is not authorized to access this endpoint',
  },
} as const satisfies ErrorTable;
