// Faults in staking: how days are counted and paid, how stakes end, and operator actions.

import type { FaultTable } from '../fault.ts';

export const STAKING_FAULTS: FaultTable = {
  'features/staking/accrue.ts': {
    'the reward of a stake is rounded to the nearest atom': {
      in: 'ACCRUE',
      replace: ['div(d.numerator,', 'round(d.numerator /'],
    },
    'a day is paid again by another worker': { in: 'closeDay', remove: '|| pool.accruedTo >= day' },
    'a stake earns for the day after its end': { in: 'DUE', replace: ['>= $2', '>= $2::date - 1'] },
    'a day is not funded': { in: 'closeDay.amountAtoms', value: '0n as Atoms' },
  },
  'features/staking/pools.ts': {
    'a new rate begins on a day that has begun': {
      in: 'changeRate',
      replace: ["pool.state === 'uninitialized' ? 0 : 1", '0'],
    },
  },
  'features/staking/rewards.ts': {
    'slashes apply to stakes that end on time': {
      in: 'settlementOf',
      replace: ['isEarly', 'isEarly || ppm > 0n'],
    },
  },
  'features/staking/stakes.ts': {
    'an early end costs nothing': { in: 'unstake', replace: [', isEarly', ', isEarly: false'] },
    'a stake ends early against its terms': { in: 'unstake', replace: ['!pool', 'pool'] },
  },
  'features/staking/advance.ts': {
    'slashes are paid to the user': {
      in: 'pay',
      replace: ['isSlash ?', 'isSlash && pool.id < 0 ?'],
    },
    'a reward is paid before its days are funded': {
      in: 'IS_FUNDED',
      replace: ["<> 'accepted' and", "= 'lost' and"],
    },
    'a stake is settled before its days are counted': {
      in: 'READY',
      remove: 'and p.accrued_to >= s.end_day',
    },
  },
  'features/staking/movements.ts': {
    'a stake rejected by the engine is sent again': {
      in: 'repeatRefused',
      remove: "and kind <> 'open'",
    },
  },
  'features/staking/admin/stakes.ts': {
    'an unfunded reward is clawed back': { in: 'adjust', replace: ['< 0n', '=== null'] },
  },
  'features/staking/admin/pools.ts': {
    'one operator creates an active pool without approval': {
      in: 'createPoolAct.prepare.approvals',
      value: '0',
    },
    'one operator starts a pool without approval': {
      in: 'isOnlyStopping',
      replace: ['terms.state', 'pool.state'],
    },
  },
};
