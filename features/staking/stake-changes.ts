// Stake changes for the stream. The database writes them together with the change; the dispatcher
// publishes each at least once, in order per stake.

import type { Statements } from '../../infra/postgres/index.ts';
import { STAKE_COLUMNS, type Stake, stakeOf } from './stakes.ts';

export interface StakeChange {
  /** Increases with each change of a stake. */
  readonly id: number;
  /** insert: a new stake. delete: an ending stake. update: anything else. */
  readonly action: 'insert' | 'delete' | 'update';
  /** Current state. */
  readonly stake: Stake;
}

/** Returns the oldest unpublished changes. */
export async function readUnpublishedStakeChanges(
  statements: Statements,
  limit: number,
): Promise<StakeChange[]> {
  const { rows } = await statements.query(
    `select ${STAKE_COLUMNS}, c.id as change, c.action
     from (select * from stake_changes where published_at is null order by id limit $1) c
     join stakes s on s.id = c.stake_id join stake_pools p on p.id = s.pool_id
     order by c.id`,
    [limit],
  );
  return rows.map((row) => ({ id: Number(row.change), action: row.action, stake: stakeOf(row) }));
}

export async function markStakeChangesPublished(
  statements: Statements,
  changes: readonly StakeChange[],
): Promise<void> {
  await statements.query('update stake_changes set published_at = now() where id = any($1)', [
    changes.map(({ id }) => id),
  ]);
}
