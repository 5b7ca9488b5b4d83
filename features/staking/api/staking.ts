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
    description: 'Percent per year of 360 days. A new rate applies from the next day.',
  },
  duration: { ...DecimalOrNull, description: 'Days; null for no end.' },
  min_amount: Decimal,
  max_amount: Decimal,
  early_unstake: Type.Boolean({ description: 'Whether a stake can end before its closing day.' }),
  slashing: Type.Boolean({ description: 'Whether an early end costs anything.' }),
  slashing_earning_percentage: { ...Decimal, description: 'Percent of the reward.' },
  slashing_principle_percentage: { ...Decimal, description: 'Percent of the amount.' },
  is_automatic: Type.Boolean({ description: 'Whether rewards accrue daily.' }),
  onboarding: Type.Boolean({ description: 'Whether the pool accepts new stakes.' }),
  status: oneOf(STAKE_POOL_STATUSES),
  disclaimer: StringOrNull,
  paused_date: field(TimestampOrNull, 'When the pool was paused; null if it is not paused.', null),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const StakePool = Type.Object(pool, { title: 'StakePool' });
export type StakePool = Static<typeof StakePool>;

export const StakePoolOfOperators = Type.Object(
  {
    ...pool,
    user_id: Type.Integer({ description: 'The operator who created the pool.' }),
    account_id: Type.Integer({ description: 'The account that funds the rewards.' }),
    reserve_id: sample(
      Type.Integer({
        description: 'The account that holds the staked amounts and the counted rewards.',
      }),
      3,
    ),
    unfunded: sample(
      {
        ...Decimal,
        description: 'Counted rewards that `account_id` could not fund yet.',
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
    amount: { ...Decimal, description: 'After an early end, reduced by its cost.' },
    nav: { ...Decimal, description: 'A value entered by operators. It moves no money.' },
    currency: Type.String(),
    reward: { ...Decimal, description: 'Total over all days so far.' },
    reward_currency: Type.String(),
    slashed: sample({ ...Decimal, description: 'The part of the reward lost by an early end.' }, 0),
    status: oneOf(STAKE_STATUSES),
    closing: { ...TimestampOrNull, description: 'Null for no end.' },
    unstaked_date: field(TimestampOrNull, 'When the stake was ended; null if it is active.', null),
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
    slashingPrinciple: sample({ ...Decimal, description: 'The lost part of the amount.' }, 0),
    slashingEarning: sample({ ...Decimal, description: 'The lost part of the reward.' }, 0.6),
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
  { currency: Type.String(), total_amount: field(Decimal, 'The total.', 1000) },
  { title: 'CurrencySum' },
);

export const StakeAnalytics = Type.Object(
  {
    stakingAmount: Type.Array(CurrencySum, { description: 'Totals of all stakes ever opened.' }),
    unstakingAmount: Type.Array(CurrencySum, { description: 'Totals of stakes being ended.' }),
  },
  { title: 'StakeAnalytics' },
);
