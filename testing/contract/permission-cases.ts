// The permission table: the status that each route returns to each kind of caller, derived from the
// route's declaration. docs/api/permissions.md shows it, and a test runs it.

import type { Route } from '../../protocol/index.ts';

export const PERMISSION_CASES = [
  'no credentials',
  'wrong signature',
  'expired',
  'replayed',
  'wrong scope',
  "other's id",
  'blocked address',
  'user',
  'session',
  'administrator',
] as const;
export type PermissionCase = (typeof PERMISSION_CASES)[number];

/** Routes that take an ID. Another user's object must look as if it did not exist. */
export const NAMES_BY_ID: Readonly<Record<string, number>> = {
  getOrder: 404,
  amendOrder: 404,
  cancelOrder: 404,
  cancelWithdrawal: 404,
  executeQuote: 400,
  activateOtp: 400,
  deactivateOtp: 400,
  renewRecoveryCodes: 400,
  activatePasskey: 400,
  deletePasskey: 404,
  provePasskey: 400,
  revokeSession: 404,
  revokeDevice: 404,
  createApiKey: 400,
  changeApiKey: 404,
  revokeApiKey: 404,
  confirmEmailChange: 400,
  closeAccount: 400,
  removeSubAccount: 404,
  transferToSubAccount: 404,
  openSubAccount: 404,
  requestWithdrawal: 403,
  shareAccount: 400,
  enterSharedAccount: 404,
  pauseSharedAccount: 404,
  resumeSharedAccount: 404,
  removeSharedAccount: 404,
  requestFiatWithdrawal: 403,
  changePaymentDetail: 404,
  removePaymentDetail: 404,
  endStake: 404,
  estimateSlash: 404,
  /** Only the user of the sample has earnings. */
  settleReferral: 400,
};

/** A canceled order cannot be canceled again. */
const CANCELS_ONE: Readonly<Record<string, number>> = {
  cancelOrder: 404,
  cancelOrderOfUser: 404,
};

/** Endpoints without credentials whose proof (a code, a challenge) is valid once. */
const PROVES_ONCE: Readonly<Record<string, number>> = {
  confirmLogin: 400,
  logInWithPasskey: 401,
  verifyEmail: 400,
  resetPassword: 400,
  signUpAdministrator: 403,
  openPasswordChange: 400,
  confirmPasswordChange: 400,
  // Can be signed, and then its signature is valid once too.
  confirmWithdrawal: 409,
};

/** Owner of the session that a route needs, or undefined if it accepts keys or needs no caller. */
export function personOf(permission: Route['permission']): 'alice' | 'admin' | undefined {
  if (permission.who === 'person') return 'alice';
  return permission.who === 'operator' && permission.personOnly === true ? 'admin' : undefined;
}

type Judge = (route: Route, name: string) => number;

// Credentials are ignored on routes that need none.
const unlessIgnored =
  (status: number): Judge =>
  (route) => {
    const { permission } = route;
    if (permission.who !== 'anyone') return status;
    return permission.mayIdentify === true ? status : route.status;
  };

const judges: Record<PermissionCase, Judge> = {
  'no credentials': ({ permission, status }) => (permission.who === 'anyone' ? status : 401),
  'wrong signature': unlessIgnored(401),
  expired: unlessIgnored(401),
  // A cancel does not count as a write: it must always work, and repeating it is harmless.
  replayed: ({ effect, permission, status }, name) => {
    if (personOf(permission) !== undefined) return 403;
    if (permission.who === 'anyone') return PROVES_ONCE[name] ?? status;
    if (effect === 'read') return status;
    return effect === 'write' ? 409 : (CANCELS_ONE[name] ?? status);
  },
  'wrong scope': ({ permission, status }) => {
    if (permission.who === 'person' || personOf(permission) !== undefined) return 403;
    return permission.who === 'anyone' || permission.scope === 'any' ? status : 403;
  },
  // Endpoints that need a login session accept no key, so a session is used.
  "other's id": ({ permission, status }, name) => {
    if (personOf(permission) === 'admin') return 403;
    return permission.who === 'operator' ? 403 : (NAMES_BY_ID[name] ?? status);
  },
  'blocked address': unlessIgnored(401),
  user: ({ permission, status }) => {
    if (personOf(permission) !== undefined) return 403;
    return permission.who === 'operator' ? 403 : status;
  },
  session: ({ permission, status }) => {
    if (permission.who === 'anyone' || permission.who === 'person') return status;
    if (!permission.sessions) return 401;
    return permission.who === 'operator' ? 403 : status;
  },
  administrator: ({ permission, status }) => (personOf(permission) === undefined ? status : 403),
};

export function expectedStatus(kind: PermissionCase, name: string, route: Route): number {
  return judges[kind](route, name);
}
