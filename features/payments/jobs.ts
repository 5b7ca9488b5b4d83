// Scheduled payment jobs: expire unconfirmed withdrawals, and delete addresses removed from the
// book.

import { DAY_MS } from '../../core/market-data/index.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { deleting, inBatches, type Job, type JobContext } from '../../platform/jobs/index.ts';
import { expireWithdrawal, listWithdrawalsToExpire } from './withdrawals/expire-withdrawals.ts';

/** Operators might have to explain a withdrawal to an address that is no longer in the book. */
const REMOVED_ADDRESSES_MS = 396 * DAY_MS;

export const PAYMENTS_JOBS: readonly Job[] = [
  { name: 'expire_withdrawals', schedule: '* * * * *', run: expireWithdrawals },
  {
    name: 'delete_removed_addresses',
    schedule: '52 4 * * *',
    run: deleting('address_book', 'removed_at < $1', REMOVED_ADDRESSES_MS),
  },
];

/** Uses one transaction per request, so a locked request does not delay the others. */
function expireWithdrawals({ batch: limit, nowMs, pool }: JobContext): Promise<number> {
  return inBatches(limit, async () => {
    const ids = await listWithdrawalsToExpire(pool, { limit, nowMs });
    for (const id of ids) {
      await withConnection(pool, (connection) => expireWithdrawal(connection, { id, nowMs }));
    }
    return ids.length;
  });
}
