// Referral codes, affiliations, earnings and payouts.

import type { Static } from 'typebox';
import { Decimal, field, sample, Timestamp, Type } from '../../../protocol/wire/index.ts';

const Percent = Type.Integer({ description: 'Percent of the trading fees.' });

export const ReferralCode = Type.Object(
  {
    code: field(Type.String(), 'The code.', 'ADA1X7'),
    user_id: Type.Integer(),
    discount: Percent,
    earning_rate: Percent,
    referral_count: sample(Type.Integer({ description: 'Number of users who used the code.' }), 3),
    created_at: Timestamp,
  },
  { title: 'ReferralCode' },
);
export type ReferralCode = Static<typeof ReferralCode>;

export const ReferralCheck = Type.Object(
  { valid: Type.Boolean(), discount: Percent, earning_rate: Percent },
  { title: 'ReferralCheck' },
);

export const Affiliation = Type.Object(
  {
    referrer_id: field(Type.Integer(), 'The referring user.', 7),
    user: Type.Object({ id: Type.Integer(), email: Type.String() }),
    code: field(Type.String(), 'The referral code used.', 'ADA1X7'),
    earning_rate: Percent,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Affiliation' },
);
export type Affiliation = Static<typeof Affiliation>;

/** No row without earnings. */
export const UnrealizedReferral = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        referer: Type.Integer(),
        coin: Type.String(),
        accumulated_fees: { ...Decimal, description: 'The amount of the next payout.' },
      }),
    ),
  },
  { title: 'UnrealizedReferral' },
);
export type UnrealizedReferral = Static<typeof UnrealizedReferral>;

export const ReferralPayout = Type.Object(
  {
    id: Type.Integer(),
    referer: Type.Integer(),
    coin: Type.String(),
    accumulated_fees: { ...Decimal, description: 'The amount paid.' },
    status: Type.Boolean({ description: 'Always true.' }),
    created_at: Timestamp,
  },
  { title: 'ReferralPayout' },
);
export type ReferralPayout = Static<typeof ReferralPayout>;

export const ReferralEarning = Type.Object(
  {
    referer: Type.Integer(),
    referee: sample(Type.Integer({ description: 'The user who paid the fees.' }), 8),
    code: field(Type.String(), 'The referral code used.', 'ADA1X7'),
    coin: Type.String(),
    accumulated_fees: {
      ...Decimal,
      description: 'Your share of these fees, rounded down; payouts round only once.',
    },
    created_at: Timestamp,
  },
  { title: 'ReferralEarning' },
);
export type ReferralEarning = Static<typeof ReferralEarning>;

export const ReferralSettled = Type.Object(
  { message: Type.String(), amount: Decimal, currency: Type.String() },
  { title: 'ReferralSettled' },
);
