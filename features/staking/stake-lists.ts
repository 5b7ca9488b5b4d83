// Lists of stakes, for one user or for operators, and their totals.

import type { Atoms } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import type { SortColumns } from '../../infra/projections/index.ts';
import { STAKE_COLUMNS } from './stakes.ts';

const STATES_OF = `case $5::text when 'staking' then array['opening', 'staking']
  when 'unstaking' then array['unstaking', 'settling']
  when 'closed' then array['closed']
  else array['opening', 'staking', 'unstaking', 'settling', 'closed'] end`;

const REWARD = '(s.accrued_atoms + s.adjusted_atoms)::numeric';
// Rounds like settlementOf.
const slashed = (atoms: string, ppm: string) =>
  `(case when s.is_early then div(${atoms} * ${ppm}, 1000000) else 0 end)`;
const PRINCIPAL = 's.principal_atoms::numeric';

/** Displayed amounts. */
const SHOWN = {
  amount: `(${PRINCIPAL} - ${slashed(PRINCIPAL, 's.principal_slash_ppm')})
    / power(10::numeric, p.scale)`,
  nav: 's.nav_atoms / power(10::numeric, p.scale)',
  reward: `${REWARD} / power(10::numeric, p.reward_scale)`,
  slashed: `${slashed(REWARD, 's.reward_slash_ppm')} / power(10::numeric, p.reward_scale)`,
};

const FILTERED = `
  from stakes s join stake_pools p on p.id = s.pool_id
  where s.state = any(${STATES_OF})
    and ($1::bigint is null or s.user_id = $1)
    and ($2::bigint is null or s.id = $2)
    and ($3::bigint is null or s.pool_id = $3)
    and ($4::text is null or p.currency = $4)
    and ($6::timestamptz is null or s.created_at >= $6)
    and ($7::timestamptz is null or s.created_at < $7)
    and ($8::numeric is null or ${SHOWN.reward} = $8)
    and ($9::numeric is null or ${SHOWN.slashed} = $9)`;

/** $1 user, $2 id, $3 pool, $4 currency, $5 status, $6 from, $7 to, $8 reward, $9 slashed. */
export const stakeList = {
  rows: (order: string) => `select ${STAKE_COLUMNS} ${FILTERED} ${order} limit $10 offset $11`,
  count: `select count(*) from (select s.id ${FILTERED} limit $10) counted`,
  defaultSort: ['s.created_at', 's.id'],
} as const;

export const STAKE_SORT_COLUMNS: SortColumns = {
  id: 's.id',
  created_at: 's.created_at',
  updated_at: { by: 's.updated_at' },
  user_id: { by: 's.user_id' },
  stake_id: { by: 's.pool_id' },
  currency: { by: 'p.currency' },
  reward_currency: { by: 'p.reward_currency' },
  status: { by: 's.state' },
  closing: { by: 's.closing_at' },
  unstaked_date: { by: 's.unstaked_at' },
  amount: { by: SHOWN.amount },
  nav: { by: SHOWN.nav },
  reward: { by: SHOWN.reward },
  slashed: { by: SHOWN.slashed },
};

export interface StakedSum {
  readonly currency: string;
  readonly scale: number;
  readonly atoms: Atoms;
}

export interface StakeSums {
  /** Totals of all stakes ever made. */
  readonly staking: readonly StakedSum[];
  /** Totals of ending stakes. */
  readonly unstaking: readonly StakedSum[];
}

export async function sumStakes(statements: Statements): Promise<StakeSums> {
  const { rows } = await statements.query(
    `select p.currency, p.scale, sum(s.principal_atoms) as staking,
       sum(s.principal_atoms) filter (where s.state in ('unstaking', 'settling')) as unstaking
     from stakes s join stake_pools p on p.id = s.pool_id where s.state <> 'refused'
     group by p.currency, p.scale order by p.currency`,
  );
  const sums = (of: 'staking' | 'unstaking') =>
    rows
      .filter((row) => row[of] !== null)
      .map((row) => ({
        currency: row.currency,
        scale: Number(row.scale),
        atoms: BigInt(row[of]) as Atoms,
      }));
  return { staking: sums('staking'), unstaking: sums('unstaking') };
}
