// Errors for stake pools and stakes. Existing clients know the codes below 2000.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const stakingErrors = {
  stake_pool_not_found: { status: 404, code: 197, text: 'Stake pool not found' },
  stake_pool_closed: {
    status: 400,
    code: 198,
    text: 'This stake pool is not accepting new stakes',
  },
  stake_pool_not_active: { status: 400, code: 199, text: 'This stake pool is not active' },
  stake_amount_too_large: {
    status: 400,
    code: 201,
    text: 'You can stake at most {max} {currency} in this pool',
  },
  stake_amount_too_small: {
    status: 400,
    code: 202,
    text: 'You must stake at least {min} {currency} in this pool',
  },
  stake_not_found: { status: 404, code: 203, text: 'Stake not found' },
  stakes_limit_reached: {
    status: 400,
    code: 204,
    text: 'You can have at most {max} active stakes. End one first',
  },
  unstake_pool_not_active: {
    status: 400,
    code: 206,
    text:
      'This stake pool is paused or has ended. Your stake is safe and will be paid under its ' +
      'terms',
  },
  stake_period_not_over: {
    status: 400,
    code: 208,
    text: 'This stake cannot be ended before its closing date',
  },
  stake_has_ended: { status: 400, code: 2790, text: 'This stake has already ended' },
  stake_account_cannot: { status: 400, code: 2791, text: 'This account cannot stake in this pool' },
  stake_status_of_new_pool: {
    status: 400,
    code: 186,
    audience: 'operators',
    text: 'A new pool must have status uninitialized. Start it with an update',
  },
  stake_onboarding_of_new_pool: {
    status: 400,
    code: 187,
    audience: 'operators',
    text: 'A new pool must have onboarding false. Open it after it has started',
  },
  stake_without_end: {
    status: 400,
    code: 188,
    audience: 'operators',
    text: 'A pool without a duration cannot allow early unstaking or slashing',
  },
  stake_account_missing: {
    status: 400,
    code: 189,
    audience: 'operators',
    text: 'The account that funds the pool does not exist',
  },
  stake_pool_terminated: {
    status: 400,
    code: 192,
    audience: 'operators',
    text: 'This pool has ended permanently',
  },
  stake_field_fixed: {
    status: 400,
    code: 193,
    audience: 'operators',
    text: '{field} cannot be changed after the pool has started',
  },
  stake_onboarding_too_early: {
    status: 400,
    code: 194,
    audience: 'operators',
    text: 'Start the pool before opening it to users',
  },
  stake_pool_not_paused: {
    status: 400,
    code: 195,
    audience: 'operators',
    text: 'Only a paused pool can be ended. Pause it first, then delete it',
  },
  stake_reward_without_price: {
    status: 400,
    code: 210,
    audience: 'operators',
    text: 'No price available for the staked coin in {currency}. Set reference prices first',
  },
  stake_value_invalid: {
    status: 400,
    code: 2792,
    audience: 'operators',
    text: 'Invalid value: {field}',
  },
  stake_name_taken: {
    status: 400,
    code: 2793,
    audience: 'operators',
    text: 'A pool with this name already exists',
  },
  stake_status_invalid: {
    status: 400,
    code: 2794,
    audience: 'operators',
    text: 'The status cannot change from {from} to {to}',
  },
  stake_reward_not_funded: {
    status: 400,
    code: 2795,
    audience: 'operators',
    text: 'The rewards for this stake are not funded yet. Fund the pool account first',
  },
  stake_account_not_of_operator: {
    status: 400,
    code: 2796,
    audience: 'operators',
    text: 'Only an active operator account can fund a pool',
  },
} as const satisfies ErrorTable;
