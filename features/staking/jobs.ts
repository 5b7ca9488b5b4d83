// Scheduled jobs of staking: the rewards of each day, and the movements of stakes.

import { withConnection } from '../../infra/postgres/index.ts';
import type { Job, JobContext } from '../../platform/jobs/index.ts';
import { cautiousPrices } from '../market-data/index.ts';
import { accrueRewards } from './accrue.ts';
import { advanceStakes } from './advance.ts';
import { repeatRefused } from './movements.ts';

export const STAKING_JOBS: readonly Job[] = [
  { name: 'count_stake_rewards', schedule: '1,16,31,46 * * * *', run: countStakeRewards },
  { name: 'settle_stakes', schedule: '* * * * *', run: settleStakes },
];

/**
 * Returns the number of days of pools, and of movements that the engine gets again because it had
 * refused them. Midnight is in the time zone of the exchange, so it runs four times an hour.
 */
async function countStakeRewards(context: JobContext): Promise<number> {
  const { batch, nowMs, pool, projectionSchema } = context;
  return withConnection(pool, async (connection) => {
    const repeated = await repeatRefused(connection, batch);
    const days = await accrueRewards(connection, {
      nowMs,
      batch,
      priceAt: async ({ at, currency, quote }) => {
        const question = { quote, currencies: [currency], projectionSchema, at };
        return (await cautiousPrices(connection, question))[currency];
      },
    });
    return days + repeated;
  });
}

function settleStakes({ batch: limit, nowMs, pool }: JobContext): Promise<number> {
  return withConnection(pool, (connection) => advanceStakes(connection, { nowMs, limit }));
}
