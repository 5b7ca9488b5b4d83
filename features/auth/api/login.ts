// Logins, sessions and devices, as their owner sees them.

import type { Static } from 'typebox';
import {
  field,
  oneOf,
  sample,
  Timestamp,
  TimestampOrNull,
  Type,
} from '../../../protocol/wire/index.ts';

export const SessionToken = Type.Object(
  { token: Type.String({ description: 'Send it as `Authorization: Bearer TOKEN`.' }) },
  { title: 'SessionToken' },
);
export type SessionToken = Static<typeof SessionToken>;

export const UserSession = Type.Object(
  {
    id: Type.Integer(),
    login_id: field(
      Type.Union([Type.Integer(), Type.Null()]),
      'The login that opened the session.',
      17,
    ),
    status: Type.Boolean({ description: 'Whether the session is valid now.' }),
    last_seen: TimestampOrNull,
    expiry_date: Timestamp,
    role: Type.String(),
    meta: Type.Object({}),
    current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    login: field(
      Type.Object({
        ip: Type.String(),
        device: Type.String({ description: 'The user agent.' }),
        domain: Type.String(),
        country: Type.String({ description: 'Two letters; empty if unknown.' }),
        timestamp: Timestamp,
        User: Type.Object({ id: Type.Integer(), email: Type.String() }),
      }),
      'The login that opened the session.',
    ),
  },
  { title: 'UserSession' },
);
export type UserSession = Static<typeof UserSession>;

export const UserLogin = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer(),
    ip: Type.String(),
    device: Type.String({ description: 'The user agent.' }),
    domain: Type.String(),
    country: Type.String({ description: 'Two letters; empty if unknown.' }),
    timestamp: Timestamp,
    attempt: field(Type.Integer(), 'Number of attempts.', 1),
    status: Type.Boolean({ description: 'Whether the attempt opened a session.' }),
    outcome: sample(
      Type.String({ description: '`success`, or the check that failed.' }),
      'success',
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'UserLogin' },
);
export type UserLogin = Static<typeof UserLogin>;

export const UserDevice = Type.Object(
  {
    id: Type.Integer(),
    device: Type.String({ description: 'The user agent of the last login.' }),
    network: Type.String({ description: 'The IP address of the last login, or its /64 network.' }),
    country: Type.String({ description: 'Two letters; empty if unknown.' }),
    known_by: field(oneOf(['cookie', 'network']), 'How the device is recognized.'),
    first_seen: field(Timestamp, 'When the device was first seen.'),
    last_seen: Timestamp,
  },
  { title: 'UserDevice' },
);
export type UserDevice = Static<typeof UserDevice>;

export const CaptchaChallenge = Type.Object(
  {
    type: oneOf(['proof_of_work', 'turnstile', 'none']),
    challenge: Type.Optional(Type.String()),
    difficulty: sample(
      Type.Optional(
        Type.Integer({
          description: 'Number of leading zero bits in the SHA-256 of the solution.',
        }),
      ),
      16,
    ),
    expires_at: Type.Optional(Timestamp),
    site_key: Type.Optional(Type.String({ description: 'Site key of the Turnstile widget.' })),
  },
  { title: 'CaptchaChallenge' },
);
export type CaptchaChallenge = Static<typeof CaptchaChallenge>;
