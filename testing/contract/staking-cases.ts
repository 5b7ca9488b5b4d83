// Contract cases for the staking routes; contract-cases.ts adds them to its table.

import type { RouteName } from '../../protocol/index.ts';
import { body, type ContractCase, query, refused } from './contract-case.ts';

export const stakingCases: Partial<Record<RouteName, readonly ContractCase[]>> = {
  createStake: [
    refused('too little', body({ amount: '0' }), 'You must stake'),
    refused('too much', body({ amount: 2 }), 'You can stake at most'),
    refused('too many decimals', body({ amount: '0.000000001' }), 'Invalid amount'),
    { what: 'unknown pool', change: body({ stake_id: 999_999 }), status: 404, says: 'Stake pool' },
  ],
  endStake: [
    { what: 'unknown stake', change: body({ id: 999_999 }), status: 404, says: 'Stake not found' },
  ],
  estimateSlash: [
    { what: 'unknown stake', change: query({ id: 999_999 }), status: 404, says: 'Stake not found' },
  ],
  createStakePool: [
    {
      what: 'active and open',
      change: body({ status: 'active', onboarding: true }),
      status: 200,
      says: '"status":"active"',
    },
    refused('ended', body({ status: 'terminated' }), 'cannot change'),
    refused('slashing without an end', body({ duration: null }), 'without a duration'),
    refused('an unknown coin', body({ currency: 'xyz' }), 'Invalid coin'),
    refused('an unknown account', body({ account_id: 999_999 }), 'does not exist'),
    refused('a maximum below the minimum', body({ max_amount: 0.0001 }), 'max_amount'),
    refused('a negative rate', body({ apy: -1 }), 'apy'),
    refused('a percentage above 100', body({ slashing_earning_percentage: 100.01 }), 'slashing'),
  ],
  changeStakePool: [
    refused('another coin', body({ currency: 'eur' }), 'currency cannot be changed'),
    refused('ending an active pool', body({ status: 'terminated' }), 'Only a paused pool'),
    refused('a start again', body({ status: 'uninitialized' }), 'cannot change'),
    { what: 'unknown pool', change: body({ id: 999_999 }), status: 404, says: 'Stake pool' },
  ],
  terminateStakePool: [
    { what: 'unknown pool', change: body({ id: 999_999 }), status: 404, says: 'Stake pool' },
  ],
  adjustStake: [
    {
      what: 'closed',
      change: body({ status: 'closed' }),
      status: 200,
      says: '"status":"unstaking"',
    },
    refused('a negative reward', body({ reward: -1 }), 'reward'),
    { what: 'unknown stake', change: body({ id: 999_999 }), status: 404, says: 'Stake not found' },
  ],
  estimateSlashOfUser: [
    { what: 'unknown stake', change: query({ id: 999_999 }), status: 404, says: 'Stake not found' },
  ],
};
