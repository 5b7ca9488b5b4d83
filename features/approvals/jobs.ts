// Scheduled jobs of approvals: requests expire, and their personal values end later.

import { DAY_MS } from '../../core/market-data/index.ts';
import { deleting, type Job } from '../../platform/jobs/index.ts';
import { expireApprovals } from './approvals.ts';

/** Personal values of requests stay readable for an investigation. */
const OLD_APPROVALS_MS = 396 * DAY_MS;

export const APPROVALS_JOBS: readonly Job[] = [
  {
    name: 'expire_approvals',
    schedule: '* * * * *',
    run: ({ nowMs, pool }) => expireApprovals(pool, nowMs),
  },
  {
    name: 'delete_old_approval_keys',
    schedule: '12 3 * * *',
    run: deleting(
      'approval_keys',
      'request_id in (select id from approval_requests where ended_at < $1)',
      OLD_APPROVALS_MS,
    ),
  },
];
