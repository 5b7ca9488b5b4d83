// Reads a user's account from the projected tables in one snapshot, with its position in the user's
// stream. Callers must first wait until the tables contain the required frame.

import type { UserId } from '../../../core/money/index.ts';
import type { CatalogueNow } from '../../../features/listings/index.ts';
import { type Pool, withConnection } from '../../../infra/postgres/index.ts';
import { BALANCES_OF_USER, fillsOfUser, newestFirst } from '../../../infra/projections/index.ts';
import { balanceText, fillText, orderText, type Row } from './account-rows.ts';
import { makeSnapshot, ORDERS_IN_PARTIAL_MAX, type Snapshot } from './snapshot.ts';
import type { ProjectedState } from './user-stream.ts';

const FILLS_MAX = 50;

const POSITION = 'select frame_sequence, frame_events from projection';

/** $1 user. Oldest first. */
const OPEN_ORDERS = `
  select o.* from orders o where o.user_id = $1 and o.close_reason is null order by o.number`;

/** $1 user. Closed orders among the last ORDERS_IN_PARTIAL_MAX; the open ones are already read. */
const LAST_CLOSED_ORDERS = `
  select o.* from (
    select * from orders where user_id = $1 order by number desc limit ${ORDERS_IN_PARTIAL_MAX}
  ) o where o.close_reason is not null`;

// Every user event changes a balance of the user or an order that stays open.
const PROJECTED = `
  select frame_sequence as frame, greatest(
    (select max(updated_frame) from balances where owner = $1),
    (select max(updated_frame) from orders where user_id = $1 and close_reason is null)
  ) as last_frame from projection`;

export async function readSnapshot(
  pool: Pool,
  { catalogue, timeMs, user }: { user: UserId; catalogue: CatalogueNow; timeMs: number },
): Promise<Snapshot> {
  return withConnection(pool, async (session) => {
    await session.query('begin transaction isolation level repeatable read read only');
    const place = await session.query(POSITION);
    const open = await session.query(OPEN_ORDERS, [user]);
    const closed = await session.query(LAST_CLOSED_ORDERS, [user]);
    const fills = await session.query(newestFirst(fillsOfUser), [
      user,
      null,
      null,
      null,
      FILLS_MAX,
      0,
    ]);
    const balances = await session.query(BALANCES_OF_USER, [user]);
    await session.query('commit');
    const [{ frame_events, frame_sequence }] = place.rows;
    // If a frame is incomplete, the tables contain its first events.
    const position = { frame: Number(frame_sequence), index: Number(frame_events) - 1 };
    const openOrders = open.rows.map((row: Row) => orderText(catalogue, row));
    const texts = {
      openOrders,
      lastOrders: lastOrders(
        open.rows.map((row: Row, index) => [Number(row.number), openOrders[index]]),
        closed.rows.map((row: Row) => [Number(row.number), orderText(catalogue, row)]),
      ),
      fills: fills.rows.map((row: Row) => fillText(catalogue, row)),
      balance: balanceText(catalogue, balances.rows),
    };
    return makeSnapshot(texts, { user, position, timeMs });
  });
}

type NumberedText = readonly [number: number, text: string];

/** Newest first. */
function lastOrders(open: readonly NumberedText[], closed: readonly NumberedText[]): string[] {
  const newest = [...open, ...closed].sort(([one], [other]) => other - one);
  return newest.slice(0, ORDERS_IN_PARTIAL_MAX).map(([, text]) => text);
}

export async function readProjected(pool: Pool, user: UserId): Promise<ProjectedState | undefined> {
  const { rows } = await pool.query(PROJECTED, [user]);
  if (rows.length === 0) return undefined;
  return { frame: Number(rows[0].frame), lastFrame: Number(rows[0].last_frame ?? 0) };
}
