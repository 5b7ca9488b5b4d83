// Reads orders from the projected table. The caller must have waited until the table has the needed
// frames.

import type { OrderState } from '../../../core/market-data/index.ts';
import type { MarketId, OrderNumber, UserId } from '../../../core/money/index.ts';
import type { Pool } from '../../../infra/postgres/index.ts';
import {
  ORDER_BY_NUMBER,
  ORDERS_BY_CLIENT_ID,
  orderOfRow,
} from '../../../infra/projections/index.ts';

const ORDERS_BY_NUMBERS = 'select o.* from orders o where o.number = any($1::bigint[])';

const CANCELED_SINCE = `
  select o.* from orders o
  where o.user_id = $1 and ($2::bigint = 0 or o.market_id = $2)
    and o.close_reason = 'canceled_by_user' and o.updated_frame > $3
  order by o.number`;

export async function readOrder(pool: Pool, order: OrderNumber): Promise<OrderState | undefined> {
  const { rows } = await pool.query(ORDER_BY_NUMBER, [order]);
  return rows.length === 0 ? undefined : orderOfRow(rows[0]);
}

/** Returns the user's newest order with the client order ID. */
export async function readOrderByClientId(
  pool: Pool,
  { clientOrderId, user }: { readonly user: UserId; readonly clientOrderId: string },
): Promise<OrderState | undefined> {
  const { rows } = await pool.query(ORDERS_BY_CLIENT_ID, [user, clientOrderId]);
  return rows.length === 0 ? undefined : orderOfRow(rows[0]);
}

export async function readOrders(
  pool: Pool,
  orders: readonly OrderNumber[],
): Promise<Map<OrderNumber, OrderState>> {
  const { rows } = await pool.query(ORDERS_BY_NUMBERS, [orders]);
  return new Map(rows.map(orderOfRow).map((order) => [order.order, order]));
}

/** Returns orders canceled by the user after the frame, in one market or, with 0, in all. */
export async function readCanceledSince(
  pool: Pool,
  {
    market,
    sinceFrame,
    user,
  }: { readonly user: UserId; readonly market: MarketId | 0; readonly sinceFrame: number },
): Promise<OrderState[]> {
  const { rows } = await pool.query(CANCELED_SINCE, [user, market, sinceFrame]);
  return rows.map(orderOfRow);
}
