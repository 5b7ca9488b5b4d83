// Lists of stakes: of one user, and of all for operators; and their sums.

import type { Atoms } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import { STAKE_COLUMNS } from './stakes.ts';

const STATES_OF = `case $5::text when 'staking' then array['opening', 'staking']
  when 'unstaking' then array['unstaking', 'settling']
  when 'closed' then array['closed']
  else array['opening', 'staking', 'unstaking', 'settling', 'closed'] end`;

const FILTERED = `
  from stakes s join stake_pools p on p.id = s.pool_id
  where s.state = any(${STATES_OF})
    and ($1::bigint is null or s.user_id = $1)
    and ($2::bigint is null or s.id = $2)
    and ($3::bigint is null or s.pool_id = $3)
    and ($4::text is null or p.currency = $4)
    and ($6::timestamptz is null or s.created_at >= $6)
    and ($7::timestamptz is null or s.created_at < $7)`;

/** $1 user, $2 id, $3 pool, $4 currency, $5 status, $6 from, $7 to; each may be null. */
export const stakeList = {
  rows: (order: string) => `select ${STAKE_COLUMNS} ${FILTERED} ${order} limit $8 offset $9`,
  count: `select count(*) from (select s.id ${FILTERED} limit $8) counted`,
  defaultSort: ['s.created_at', 's.id'],
} as const;

export interface StakedSum {
  readonly currency: string;
  readonly scale: number;
  readonly atoms: Atoms;
}

export interface StakeSums {
  /** Of all stakes there ever were. */
  readonly staking: readonly StakedSum[];
  /** Of those that end. */
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
