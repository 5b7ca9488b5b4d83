// Scheduled jobs for access to personal data: interrupted exports, and old lookups.

import { DAY_MS } from '../../core/market-data/index.ts';
import { deleting, type Job, type JobContext } from '../../platform/jobs/index.ts';

/** Lookups are kept for as long as users can request them. */
const OLD_LOOKUPS_MS = 396 * DAY_MS;
/** Longer than any list can take. */
const EXPORT_LIFE_MS = 900_000;

export const PII_ACCESS_JOBS: readonly Job[] = [
  { name: 'end_lost_exports', schedule: '*/10 * * * *', run: endLostExports },
  {
    name: 'delete_old_lookups',
    schedule: '2 3 * * *',
    run: deleting('data_lookups', 'at < $1', OLD_LOOKUPS_MS),
  },
];

/** The sending gateway stopped, so it is unknown how much arrived. */
async function endLostExports({ nowMs, pool }: JobContext): Promise<number> {
  const { rowCount } = await pool.query(
    `update exports set state = 'broken', ended_at = $1
     where state = 'sending' and started_at < $2`,
    [new Date(nowMs), new Date(nowMs - EXPORT_LIFE_MS)],
  );
  return rowCount ?? 0;
}
