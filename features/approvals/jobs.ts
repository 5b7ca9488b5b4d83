// Scheduled approval jobs: expire requests, delete their personal values later, and end team mode
// when its notice is due.

import { DAY_MS } from '../../core/market-data/index.ts';
import { inTransaction, withConnection } from '../../infra/postgres/index.ts';
import { deleting, type Job, type JobContext } from '../../platform/jobs/index.ts';
import { appendAudit } from '../audit/index.ts';
import { tellOperators } from './approval-mails.ts';
import { expireApprovals } from './approvals.ts';
import { endTeam } from './control.ts';

/** Personal values of requests stay readable for an investigation. */
const OLD_APPROVALS_MS = 396 * DAY_MS;

const SOLO = {
  title: 'The exchange is in solo mode',
  message: 'Administrators can now act without approvals. To change this, choose team mode.',
} as const;

/** The mode counts from the time of the notice; this records it and notifies every operator. */
export function completeModeChange({
  nowMs,
  pool,
  vault,
}: Pick<JobContext, 'nowMs' | 'pool' | 'vault'>): Promise<number> {
  return withConnection(pool, (connection) =>
    inTransaction(connection, async () => {
      if (!(await endTeam(connection))) return 0;
      await tellOperators(connection, vault, SOLO);
      await appendAudit(connection, vault, {
        actor: { user: undefined, credential: 'system', address: '' },
        act: 'control.mode',
        object: 'exchange',
        before: { mode: 'team' },
        after: { mode: 'solo' },
        nowMs,
      });
      return 1;
    }),
  );
}

export const APPROVALS_JOBS: readonly Job[] = [
  { name: 'complete_mode_change', schedule: '* * * * *', run: completeModeChange },
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
