// Contract cases for operator actions on users.

import type { RouteName } from '../../protocol/index.ts';
import { body, type ContractCase, query, refused } from './contract-case.ts';

const noSuchUserInBody = refused('unknown user', body({ user_id: 999_999 }), 'User not found');
const noSuchUserInQuery = refused('unknown user', query({ user_id: 999_999 }), 'User not found');
const noUserNamed = refused(
  'no user',
  (sample) => ({ ...sample, query: {} }),
  'Parameter (user_id) is required',
);

export const userActCases = {
  createUser: [
    refused('a common password', body({ password: 'password' }), 'Invalid password'),
    refused('not an address', body({ email: 'nobody' }), 'Provide a valid email'),
    refused('an unknown referral', body({ referral: 'NOCODE' }), 'eferral'),
    refused('a role', body({ role: 'admin' })),
  ],
  updateUser: [
    {
      what: 'the response is unmasked in solo mode',
      change: (sample) => sample,
      status: 200,
      says: '"Ada Byron"',
    },
    noUserNamed,
    noSuchUserInQuery,
    refused('a masked value', body({ phone_number: '•••67' }), 'phone_number'),
    refused('a status beyond the last', body({ id_data: { status: 4 } }), 'status'),
    refused('another key of the document', body({ id_data: { verified: true } })),
    refused('a role', body({ role: 'admin' })),
  ],
  deleteUser: [noSuchUserInBody],
  restoreUser: [noSuchUserInBody],
  activateUser: [
    noSuchUserInBody,
    refused('a user who is not frozen', body({ activated: true }), 'not deactivated'),
  ],
  setUserRole: [
    noUserNamed,
    noSuchUserInQuery,
    refused('an unknown role', body({ role: 'captain' }), 'Unknown role'),
    {
      what: 'the administrator',
      change: body({ role: 'admin' }),
      status: 403,
      says: 'cannot be granted',
    },
  ],
  setUserMeta: [
    noUserNamed,
    noSuchUserInQuery,
    refused('an unknown key', body({ meta: { role: 'admin' } }), 'no user_meta key role'),
    refused('a value of another type', body({ meta: { nick: 1 } }), 'expected a string'),
  ],
  setUserDiscount: [
    noUserNamed,
    noSuchUserInQuery,
    refused('above 100', body({ discount: 100.5 }), 'Invalid discount'),
    refused('below 0', body({ discount: -1 }), 'Invalid discount'),
    { what: 'the current discount', change: body({ discount: 0 }), status: 200, says: 'Success' },
  ],
  setUserNote: [noUserNamed, noSuchUserInQuery],
  upgradeUser: [
    noSuchUserInBody,
    refused('an unknown level', body({ verification_level: 60 }), 'Unknown verification level'),
  ],
  resetFactors: [noSuchUserInBody],
  verifyEmailOfUser: [noSuchUserInBody],
  flagUser: [noSuchUserInBody],
  changeEmailOfUser: [
    noSuchUserInBody,
    refused('a wrong factor', body({ otp_code: '000000' }), 'OTP'),
    refused('a wrong code', body({ email_code: 'x' }), 'code'),
    refused('not an address', body({ email: 'nobody' }), 'Provide a valid email'),
  ],
  revokeSessionOfUser: [
    {
      what: 'unknown session',
      change: body({ session_id: 999_999 }),
      status: 404,
      says: 'Session not found',
    },
  ],
  blockWithdrawals: [
    noSuchUserInBody,
    refused('an end in the past', body({ expiry_date: '2020-01-01' }), 'in the future'),
    { what: 'an end of the block', change: body({ expiry_date: null }), status: 200 },
  ],
  createAddressOfUser: [
    noSuchUserInBody,
    { what: 'unknown coin', change: body({ crypto: 'xyz' }), status: 404, says: 'Invalid crypto' },
    refused('unknown network', body({ network: 'moon' }), 'network'),
  ],
  getOperators: [
    { what: 'one address', change: query({ email: 'nobody@example.com' }), status: 200 },
    refused('an unknown sort column', query({ order_by: 'password' })),
  ],
} as const satisfies Partial<Record<RouteName, readonly ContractCase[]>>;
