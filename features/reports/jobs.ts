// Scheduled report jobs: totals of the ledger and of fees, so a report reads few rows.

import { withConnection } from '../../infra/postgres/index.ts';
import { type Job, type JobContext, untilNothing } from '../../platform/jobs/index.ts';
import { closeFeeDay } from './fee-simulation/fee-days.ts';
import { makeLedgerStep } from './ledger/ledger-checkpoints.ts';

/** Other jobs run between these. */
const LEDGER_STEPS_PER_RUN = 100;

export const REPORTS_JOBS: readonly Job[] = [
  { name: 'sum_ledger', schedule: '* * * * *', run: sumLedger },
  { name: 'sum_fees', schedule: '23 * * * *', run: sumFees },
];

/** Returns the number of entries. */
function sumLedger({ nowMs, pool, projectionSchema }: JobContext): Promise<number> {
  return withConnection(pool, async (connection) => {
    let entries = 0;
    for (let step = 0; step < LEDGER_STEPS_PER_RUN; step++) {
      const taken = await makeLedgerStep(connection, { nowMs, projectionSchema });
      if (taken === 0) break;
      entries += taken;
    }
    return entries;
  });
}

/** Returns the number of days. */
function sumFees({ pool, projectionSchema }: JobContext): Promise<number> {
  return withConnection(pool, (connection) =>
    untilNothing(async () => ((await closeFeeDay(connection, { projectionSchema })) ? 1 : 0)),
  );
}
