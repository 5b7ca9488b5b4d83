// Items that wait for a decision of one operator, by queue. A queue that the operator's role cannot
// decide is left out. Never reads personal values.

import type { UserId } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import type { WorkQueue } from './api/console.ts';

export interface WaitingWork {
  readonly name: WorkQueue;
  readonly waiting: number;
  /** Null if nothing is waiting. */
  readonly oldestAt: Date | null;
}

/** Counts stop here: an operator needs to see that there are many, not how many. */
const COUNTED_MAX = 1_000;

/**
 * Items of each queue, oldest first; an index serves each. `$1` is the operator, `$2` its powers.
 * Own requests, transfers and reveals are left out.
 */
const ROWS: Readonly<Record<WorkQueue, string>> = {
  approvals: `select created_at as since from approval_requests
    where state = 'pending' and requester_id <> $1 and vote_power = any($2) order by id`,
  withdrawals: `select created_at as since from withdrawal_requests
    where state = 'in_review' and user_id <> $1 order by id`,
  // A pending deposit on a chain waits for blocks, an announced one for an operator.
  deposits: `select created_at as since from deposit_requests
    where (state = 'in_review' or state = 'pending' and network = 'fiat') and user_id <> $1
    order by id`,
  bank_accounts: `select created_at as since from bank_accounts
    where status = 'pending' and removed_at is null and user_id <> $1 order by created_at, id`,
  findings: `select first_seen_at as since from findings where state = 'open'
    order by first_seen_at, id`,
  reveals: `select created_at as since from reveals
    where verdict is null and operator_id <> $1 and subject_id <> $1 order by id`,
};

export async function readWork(
  statements: Statements,
  user: UserId,
  { powers, queues }: { readonly powers: readonly string[]; readonly queues: readonly WorkQueue[] },
): Promise<WaitingWork[]> {
  if (queues.length === 0) return [];
  const { rows } = await statements.query(
    `with operator as (select $1::bigint, $2::text[])
     ${queues
       .map(
         (name) => `select '${name}' as name, count(*) as waiting, min(since) as oldest_at
           from (${ROWS[name]} limit ${COUNTED_MAX}) as q`,
       )
       .join(' union all ')}`,
    [user, powers],
  );
  return rows.map((row) => ({
    name: row.name,
    waiting: Number(row.waiting),
    oldestAt: row.oldest_at,
  }));
}
