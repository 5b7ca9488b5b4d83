// Login, and the sessions, logins and devices of an account.

import { Type } from 'typebox';
import { Message } from '../resources/error-body.ts';
import {
  CaptchaChallenge,
  SessionToken,
  UserDevice,
  UserLogin,
  UserSession,
} from '../resources/login.ts';
import { FormatIn, listQuery, pagedList } from '../resources/paged-list.ts';
import { defineRoute, NO_QUERY } from '../route.ts';
import { WEIGHT_HEAVY, WEIGHT_LIST, WEIGHT_ROW } from '../weights.ts';
import { BooleanIn, oneOf, textIn } from '../wire-types.ts';

const anyone = { who: 'anyone' } as const;
const person = { who: 'person' } as const;
const tag = 'login';
const module = 'identity';

const IdIn = Type.Integer({ minimum: 1 });
const TokenBody = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 128 }) },
  { title: 'TokenIn' },
);

export const loginRoutes = {
  logIn: defineRoute({
    method: 'POST',
    path: '/v2/login',
    summary: 'Log in with a password; accounts with a second factor need its code too',
    description:
      'The token goes into `authorization: Bearer`. Failed attempts are counted by account and ' +
      'by address; the fifth blocks for five minutes.',
    tag,
    permission: anyone,
    effect: 'write',
    worksReadOnly: true,
    worksStopped: true,
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object(
      {
        email: textIn({ minLength: 3, maxLength: 254 }),
        password: Type.String({ minLength: 1, maxLength: 512 }),
        otp_code: Type.Optional(
          Type.String({ maxLength: 64, description: 'A one-time password or a recovery code.' }),
        ),
        captcha: Type.Optional(
          Type.String({ maxLength: 4_096, description: 'See `GET /v2/challenge`.' }),
        ),
        long_term: Type.Optional(
          Type.Boolean({ description: 'A session of 90 days instead of 7; not for operators.' }),
        ),
        service: Type.Optional(Type.String({ maxLength: 256 })),
        referral: Type.Optional(Type.String({ maxLength: 64 })),
        version: Type.Optional(
          oneOf(
            ['v2', 'v3', 'v4'],
            'The code that confirms a suspicious login: a link, `AA-12345`, or six digits.',
          ),
        ),
      },
      { title: 'LogInIn' },
    ),
    status: 201,
    response: SessionToken,
  }),
  getChallenge: defineRoute({
    method: 'GET',
    path: '/v2/challenge',
    summary: 'The captcha of this exchange, with a puzzle if it is the proof of work',
    description: 'Solve it before sign-up, login or a reset, if the exchange asks for one.',
    tag,
    permission: anyone,
    effect: 'read',
    worksStopped: true,
    weight: WEIGHT_ROW,
    module,
    query: NO_QUERY,
    status: 200,
    response: CaptchaChallenge,
    isRialtoOnly: true,
  }),
  confirmLogin: defineRoute({
    method: 'POST',
    path: '/v2/user/confirm-login',
    summary: 'Confirm a suspicious login with the code from the mail; then log in again',
    description: 'Sent when a login comes from a new place. The code counts for five minutes.',
    tag,
    permission: anyone,
    effect: 'write',
    worksReadOnly: true,
    worksStopped: true,
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: TokenBody,
    status: 200,
    response: Message,
  }),
  freezeAccount: defineRoute({
    method: 'POST',
    path: '/v2/user/freeze-account',
    summary: 'Freeze an account with the token of a security mail: its sessions and keys end',
    description:
      'Needs no login: the token of the mail is enough. Only support can let the account go on.',
    tag,
    permission: anyone,
    effect: 'write',
    worksReadOnly: true,
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: TokenBody,
    status: 200,
    response: Message,
  }),
  getSessions: defineRoute({
    method: 'GET',
    path: '/v2/user/sessions',
    summary: 'Your sessions, newest first',
    description: 'With the login that opened each.',
    tag,
    permission: { who: 'user', scope: 'can_read', sessions: true, noGuests: true },
    effect: 'read',
    weight: WEIGHT_LIST,
    module,
    query: listQuery({ status: Type.Optional(BooleanIn), format: FormatIn }),
    status: 200,
    response: pagedList(UserSession),
    csv: true,
  }),
  revokeSession: defineRoute({
    method: 'POST',
    path: '/v2/user/revoke-session',
    summary: 'End a session',
    description: 'The session ends on every gateway within a second.',
    tag,
    permission: person,
    effect: 'write',
    worksReadOnly: true,
    weight: WEIGHT_ROW,
    module,
    query: NO_QUERY,
    body: Type.Object({ session_id: IdIn }, { title: 'RevokeSessionIn' }),
    status: 200,
    response: Message,
  }),
  getLogins: defineRoute({
    method: 'GET',
    path: '/v2/user/logins',
    summary: 'Logins of your account and failed attempts, newest first',
    description: 'With address, device and outcome.',
    tag,
    permission: person,
    effect: 'read',
    weight: WEIGHT_LIST,
    module,
    query: listQuery({ status: Type.Optional(BooleanIn), format: FormatIn }),
    status: 200,
    response: pagedList(UserLogin),
    csv: true,
  }),
  getDevices: defineRoute({
    method: 'GET',
    path: '/v2/user/devices',
    summary: 'Devices that you have logged in from, the last used first; at most 50',
    description: 'A device is known by its cookie, or else by its network.',
    tag,
    permission: person,
    effect: 'read',
    weight: WEIGHT_LIST,
    module,
    query: NO_QUERY,
    status: 200,
    response: pagedList(UserDevice),
    isRialtoOnly: true,
  }),
  revokeDevice: defineRoute({
    method: 'DELETE',
    path: '/v2/user/devices',
    summary: 'Forget a device and end its sessions',
    description: 'Its next login counts as one from a new place.',
    tag,
    permission: person,
    effect: 'write',
    worksReadOnly: true,
    weight: WEIGHT_ROW,
    module,
    query: Type.Object({ id: IdIn }),
    status: 200,
    response: Message,
    isRialtoOnly: true,
  }),
} as const;
