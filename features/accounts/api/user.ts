// A user's own profile. It must never contain the password, operators' notes or flags.

import type { Static } from 'typebox';
import {
  Decimal,
  FreeObject,
  field,
  StringOrNull,
  Timestamp,
  TimestampOrNull,
  Type,
} from '../../../protocol/wire/index.ts';
import { Balance } from './balance.ts';

export const Wallet = Type.Object(
  {
    currency: Type.String(),
    address: Type.String({ description: 'With a tag: `address:tag`.' }),
    network: StringOrNull,
    standard: StringOrNull,
    is_valid: Type.Boolean(),
    created_at: Timestamp,
  },
  { title: 'Wallet' },
);
export type Wallet = Static<typeof Wallet>;

export const User = Type.Object(
  {
    id: Type.Integer(),
    email: Type.String(),
    full_name: StringOrNull,
    gender: Type.Boolean(),
    nationality: StringOrNull,
    dob: TimestampOrNull,
    phone_number: StringOrNull,
    address: FreeObject,
    id_data: FreeObject,
    bank_account: Type.Array(Type.Unknown()),
    crypto_wallet: field(FreeObject, 'Deposit addresses by coin.'),
    verification_level: Type.Integer(),
    email_verified: Type.Boolean(),
    otp_enabled: Type.Boolean(),
    activated: Type.Boolean(),
    username: StringOrNull,
    affiliation_code: field(StringOrNull, 'Your first referral code.', 'ADA1X7'),
    affiliation_rate: field(
      Decimal,
      'Your share of the fees paid by users you referred, in percent.',
      10,
    ),
    settings: field(FreeObject, 'Your settings, by group.'),
    discount: Decimal,
    meta: FreeObject,
    withdrawal_blocked: field(
      TimestampOrNull,
      'When withdrawals resume; null if they are not paused.',
      null,
    ),
    is_subaccount: Type.Boolean(),
    network_id: Type.Integer({ description: 'Equal to id.' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    balance: Balance,
    wallet: Type.Array(Wallet),
    permissions: Type.Optional(
      Type.Array(Type.String(), { description: 'For operators: the permissions of their role.' }),
    ),
    role: Type.Optional(Type.String({ description: 'For operators: the name of their role.' })),
    powers: Type.Optional(
      Type.Array(Type.String(), { description: 'For operators: the powers of their role.' }),
    ),
  },
  { title: 'User' },
);
export type User = Static<typeof User>;
