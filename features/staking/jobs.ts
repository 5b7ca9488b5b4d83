// Scheduled staking jobs: daily rewards, and movements of stakes.

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
 * Returns the number of counted pool days plus resent movements that the engine had rejected.
 * Midnight is in the exchange's time zone, so it runs four times per hour.
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
