// Scheduled referral job: counts referrers' shares of fees.

import { withConnection } from '../../infra/postgres/index.ts';
import type { Job, JobContext } from '../../platform/jobs/index.ts';
import { cautiousPrices } from '../market-data/index.ts';
import { runReferralBatches } from './batches.ts';
import { hasReferralCodes } from './codes.ts';

const REFERRAL_TRADES_PER_BATCH = 100_000;

export const REFERRAL_JOBS: readonly Job[] = [
  { name: 'count_referral_shares', schedule: '2 */4 * * *', run: countReferralShares },
];

/** Returns the number of batches. Each values fees at the cautious prices of its end. */
async function countReferralShares({ pool, projectionSchema }: JobContext): Promise<number> {
  if (!(await hasReferralCodes(pool))) return 0;
  return withConnection(pool, (connection) =>
    runReferralBatches(connection, {
      projectionSchema,
      tradesPerBatch: REFERRAL_TRADES_PER_BATCH,
      pricesAt: (quote, at) => cautiousPrices(connection, { quote, projectionSchema, at }),
    }),
  );
}
