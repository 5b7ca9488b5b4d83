// Errors of stake pools and stakes. Codes below 2000 are those that clients of this interface know.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const stakingErrors = {
  stake_pool_not_found: { status: 404, code: 197, text: 'Stake pool not found' },
  stake_pool_closed: {
    status: 400,
    code: 198,
    text: 'This stake pool takes no new stakes at present',
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
    text: 'You can stake {min} {currency} or more in this pool',
  },
  stake_not_found: { status: 404, code: 203, text: 'Stake not found' },
  stakes_limit_reached: {
    status: 400,
    code: 204,
    text: 'You can have at most {max} stakes. End one first',
  },
  unstake_pool_not_active: {
    status: 400,
    code: 206,
    text: 'This stake pool is paused or has ended. Your stake is kept and paid by its terms',
  },
  stake_period_not_over: {
    status: 400,
    code: 208,
    text: 'This stake cannot end before its closing day',
  },
  stake_has_ended: { status: 400, code: 2790, text: 'This stake has ended already' },
  stake_account_cannot: { status: 400, code: 2791, text: 'This account cannot stake in this pool' },
  stake_status_of_new_pool: {
    status: 400,
    code: 186,
    audience: 'operators',
    text: 'A new pool has the status uninitialized. Start it by a change',
  },
  stake_onboarding_of_new_pool: {
    status: 400,
    code: 187,
    audience: 'operators',
    text: 'A new pool has onboarding false. Open it when it has started',
  },
  stake_without_end: {
    status: 400,
    code: 188,
    audience: 'operators',
    text: 'A pool without a duration has neither an early end nor slashing',
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
    text: 'This pool has ended for good',
  },
  stake_field_fixed: {
    status: 400,
    code: 193,
    audience: 'operators',
    text: 'After the start of a pool, {field} cannot change',
  },
  stake_onboarding_too_early: {
    status: 400,
    code: 194,
    audience: 'operators',
    text: 'Start the pool before you open it to users',
  },
  stake_pool_not_paused: {
    status: 400,
    code: 195,
    audience: 'operators',
    text: 'Only a paused pool can end. Pause it, then delete it',
  },
  stake_reward_without_price: {
    status: 400,
    code: 210,
    audience: 'operators',
    text: 'The exchange has no price of the staked coin in {currency}. Set reference prices first',
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
    text: 'A pool of this name exists already',
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
    text: 'The rewards of this stake are not funded yet. Fund the account of the pool first',
  },
  stake_account_not_of_operator: {
    status: 400,
    code: 2796,
    audience: 'operators',
    text: 'Only the active account of an operator can fund a pool',
  },
} as const satisfies ErrorTable;
