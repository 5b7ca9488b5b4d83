// Scheduled surveillance jobs: run the rules, and delete findings closed years ago.

import { DAY_MS } from '../../core/market-data/index.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { deleting, type Job, type JobContext } from '../../platform/jobs/index.ts';
import { runSurveillance } from './surveillance.ts';

/** As long as an authority can request them. */
const OLD_FINDINGS_MS = 5 * 366 * DAY_MS;

export const SURVEILLANCE_JOBS: readonly Job[] = [
  { name: 'surveillance', schedule: '* * * * *', run: surveillance },
  {
    name: 'delete_old_findings',
    schedule: '32 2 * * *',
    run: deleting('findings', 'closed_at < $1', OLD_FINDINGS_MS),
  },
];

function surveillance({ nowMs, pool, projectionSchema }: JobContext): Promise<number> {
  return withConnection(pool, (connection) =>
    runSurveillance(connection, { nowMs, projectionSchema }),
  );
}
