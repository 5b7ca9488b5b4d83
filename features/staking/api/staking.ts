// Stake pools and stakes.

import type { Static } from 'typebox';
import {
  Decimal,
  DecimalOrNull,
  field,
  oneOf,
  StringOrNull,
  sample,
  Timestamp,
  TimestampOrNull,
  Type,
} from '../../../protocol/wire/index.ts';

export const STAKE_POOL_STATUSES = ['uninitialized', 'active', 'paused', 'terminated'] as const;
export const STAKE_STATUSES = ['staking', 'unstaking', 'closed'] as const;
export type StakeStatus = (typeof STAKE_STATUSES)[number];

const pool = {
  id: Type.Integer(),
  name: Type.String(),
  category: StringOrNull,
  currency: Type.String(),
  reward_currency: Type.String(),
  apy: {
    ...Decimal,
    description: 'Percent of a year of 360 days. A new rate begins on the next day.',
  },
  duration: { ...DecimalOrNull, description: 'Days; null without an end.' },
  min_amount: Decimal,
  max_amount: Decimal,
  early_unstake: Type.Boolean({ description: 'Whether a stake may end before its closing day.' }),
  slashing: Type.Boolean({ description: 'Whether an early end costs anything.' }),
  slashing_earning_percentage: { ...Decimal, description: 'Of the reward.' },
  slashing_principle_percentage: { ...Decimal, description: 'Of the amount.' },
  is_automatic: Type.Boolean({ description: 'Whether each day earns the rate.' }),
  onboarding: Type.Boolean({ description: 'Whether the pool takes new stakes.' }),
  status: oneOf(STAKE_POOL_STATUSES),
  disclaimer: StringOrNull,
  paused_date: field(TimestampOrNull, 'When the pool was paused; null if it is not.', null),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const StakePool = Type.Object(pool, { title: 'StakePool' });
export type StakePool = Static<typeof StakePool>;

export const StakePoolOfOperators = Type.Object(
  {
    ...pool,
    user_id: Type.Integer({ description: 'The operator that made the pool.' }),
    account_id: Type.Integer({ description: 'The account that funds the rewards.' }),
    reserve_id: sample(
      Type.Integer({
        description: 'The account that holds the staked amounts and the rewards that are counted.',
      }),
      3,
    ),
    unfunded: sample(
      {
        ...Decimal,
        description: 'Rewards that are counted, and that `account_id` could not fund so far.',
      },
      0,
    ),
  },
  { title: 'StakePoolOfOperators' },
);
export type StakePoolOfOperators = Static<typeof StakePoolOfOperators>;

/** Response to a change. */
export const StakePoolChanged = Type.Object(
  { ...StakePoolOfOperators.properties, message: Type.String() },
  { title: 'StakePoolChanged' },
);

export const Staker = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer(),
    stake_id: Type.Integer({ description: 'The pool.' }),
    amount: { ...Decimal, description: 'After an early end, without what it cost.' },
    nav: { ...Decimal, description: 'A value that operators state. It moves no money.' },
    currency: Type.String(),
    reward: { ...Decimal, description: 'The sum of all days so far.' },
    reward_currency: Type.String(),
    slashed: sample(
      { ...Decimal, description: 'The part of the reward that an early end costs.' },
      0,
    ),
    status: oneOf(STAKE_STATUSES),
    closing: { ...TimestampOrNull, description: 'Null without an end.' },
    unstaked_date: field(TimestampOrNull, 'When the stake was ended; null if it goes on.', null),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Staker' },
);
export type Staker = Static<typeof Staker>;

export const StakerChanged = Type.Object(
  { ...Staker.properties, message: Type.String() },
  { title: 'StakerChanged' },
);

export const SlashEstimate = Type.Object(
  {
    slashingPrinciple: sample(
      { ...Decimal, description: 'The part of the amount that is lost.' },
      0,
    ),
    slashingEarning: sample(
      { ...Decimal, description: 'The part of the reward that is lost.' },
      0.6,
    ),
  },
  { title: 'SlashEstimate', description: 'If the stake ended now.' },
);

export const SlashEstimateOfOperators = Type.Object(
  {
    reward: { ...Decimal, description: 'The part of the reward that the user would get.' },
    ...SlashEstimate.properties,
  },
  { title: 'SlashEstimateOfOperators', description: 'If the user ended the stake now.' },
);

const CurrencySum = Type.Object(
  { currency: Type.String(), total_amount: field(Decimal, 'The sum.', 1000) },
  { title: 'CurrencySum' },
);

export const StakeAnalytics = Type.Object(
  {
    stakingAmount: Type.Array(CurrencySum, { description: 'All stakes there ever were.' }),
    unstakingAmount: Type.Array(CurrencySum, { description: 'Stakes that end.' }),
  },
  { title: 'StakeAnalytics' },
);
