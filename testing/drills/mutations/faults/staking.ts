// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source text.
// Faults in staking: how days are counted and paid, ends of stakes, and acts of operators.

import type { Fault } from '../fault.ts';

const ACCRUE = 'features/staking/accrue.ts';
const ADVANCE = 'features/staking/advance.ts';
const MOVEMENTS = 'features/staking/movements.ts';
const POOLS = 'features/staking/pools.ts';
const POOL_ACTS = 'features/staking/admin/pools.ts';
const REWARDS = 'features/staking/rewards.ts';
const STAKES = 'features/staking/stakes.ts';
const STAKE_ACTS = 'features/staking/admin/stakes.ts';

export const STAKING_FAULTS: readonly Fault[] = [
  {
    name: 'the reward of a stake is rounded to the nearest atom',
    file: ACCRUE,
    find: 'accrued_atoms = div(d.numerator, $4::numeric),',
    replace: 'accrued_atoms = round(d.numerator / $4::numeric),',
  },
  {
    name: 'a day is paid again by another worker',
    file: ACCRUE,
    find: 'if (pool === undefined || pool.accruedTo >= day) return true;',
    replace: 'if (pool === undefined) return true;',
  },
  {
    name: 'a stake earns for the day after its end',
    file: ACCRUE,
    find: '(end_day is null or end_day >= $2)`;',
    replace: '(end_day is null or end_day >= $2::date - 1)`;',
  },
  {
    name: 'a day is not funded',
    file: ACCRUE,
    find: 'amountAtoms: BigInt(rows[0].sum_atoms) as Atoms,',
    replace: 'amountAtoms: 0n as Atoms,',
  },
  {
    name: 'a new rate begins on a day that has begun',
    file: POOLS,
    find: "pool.state === 'uninitialized' ? 0 : 1],",
    replace: '0],',
  },
  {
    name: 'slashes reach stakes that end in time',
    file: REWARDS,
    find: '(end.isEarly ? (atoms * ppm)',
    replace: '(end.isEarly || ppm > 0n ? (atoms * ppm)',
  },
  {
    name: 'an early end costs nothing',
    file: STAKES,
    find: "where: 'id = $4', value: id, isEarly, today, nowMs",
    replace: "where: 'id = $4', value: id, isEarly: false, today, nowMs",
  },
  {
    name: 'a stake ends early against its terms',
    file: STAKES,
    find: 'if (isEarly && !early_unstake && !pool.earlyUnstake)',
    replace: 'if (isEarly && !early_unstake && pool.earlyUnstake)',
  },
  {
    name: 'slashes are paid to the user',
    file: ADVANCE,
    find: 'const receiver = isSlash ? pool.account : idOf<UserId>(row.user_id);',
    replace: 'const receiver = isSlash && pool.id < 0 ? pool.account : idOf<UserId>(row.user_id);',
  },
  {
    name: 'a reward is paid before its days are funded',
    file: ADVANCE,
    find: "and d.state <> 'accepted' and d.day > s.opened_day and d.day <= s.last_day)",
    replace: "and d.state = 'lost' and d.day > s.opened_day and d.day <= s.last_day)",
  },
  {
    name: 'a stake is settled before its days are counted',
    file: ADVANCE,
    find: "p.state <> 'paused' and p.accrued_to >= s.end_day",
    replace: "p.state <> 'paused'",
  },
  {
    name: 'a stake that the engine refused is sent again',
    file: MOVEMENTS,
    find: "where state = 'refused' and kind <> 'open'\n",
    replace: "where state = 'refused'\n",
  },
  {
    name: 'a reward is taken away that is not funded',
    file: STAKE_ACTS,
    find: 'rewardAtoms < 0n ? await requireFunded',
    replace: 'rewardAtoms === null ? await requireFunded',
  },
  {
    name: 'one person makes an active pool alone',
    file: POOL_ACTS,
    find: "approvals: terms.state === 'active' ? 1 : 0,",
    replace: 'approvals: 0,',
  },
  {
    name: 'one person starts a pool alone',
    file: POOL_ACTS,
    find: "if (terms.state === 'uninitialized') return true;",
    replace: "if (pool.state === 'uninitialized') return true;",
  },
];
