// Compares the engine's open orders with those of the tables, in both directions.

import {
  type Check,
  type CheckContext,
  type Difference,
  inSnapshot,
  type Place,
  projectedFrame,
  stepRows,
} from './check.ts';
import type { EngineOrder } from './engine-state.ts';

const START: Place = ['0'];
const ORDERS_SHARE = 5;

/** An order that changed after the tables' frame is left to a later pass. */
export const ORDERS: Check = {
  name: 'orders',
  pauses: true,
  async walk(context, from = START) {
    const { engine } = context;
    const rowsMax = stepRows(context, ORDERS_SHARE, 0);
    const read = await readOpenOrders(context, from, rowsMax);
    if (read === undefined || !(await engine.reach(read.frame))) return 'later';
    const { frame, rows } = read;
    const changed = engine.ordersChangedAfter(frame);
    if (changed === undefined) return 'later';
    const last = rows.length < rowsMax ? undefined : Number(rows[rows.length - 1].number);
    const stored = new Map(rows.map((row) => [Number(row.number), row]));
    const differences: Difference[] = [];
    for (const one of engine.orders()) {
      const { order } = one;
      if (order <= Number(from[0]) || (last !== undefined && order > last)) continue;
      const row = stored.get(order);
      stored.delete(order);
      if (changed.has(order)) continue;
      const expected = orderText(one);
      const found = row === undefined ? 'no open order' : orderText(orderOf(row));
      if (expected === found) continue;
      const { symbol: asset } = engine.assetOf(one.base);
      differences.push({ object: `order ${order}`, asset, expected, found });
    }
    for (const [order, row] of stored) {
      if (changed.has(order)) continue;
      const found = orderText(orderOf(row));
      differences.push({ object: `order ${order}`, asset: row.base, expected: 'closed', found });
    }
    const next = last === undefined ? undefined : [`${last}`];
    return { frame, rows: rows.length, differences, next };
  },
};

function readOpenOrders(
  { connection, projectionSchema: schema }: CheckContext,
  from: Place,
  rowsMax: number,
) {
  return inSnapshot(connection, async () => {
    const frame = await projectedFrame(connection, schema);
    if (frame === undefined) return undefined;
    const { rows } = await connection.query(
      `select o.number, o.user_id, o.market_id, o.size_lots, o.filled_lots,
         (select a.symbol from ${schema}.markets m join ${schema}.assets a on a.id = m.base_id
          where m.id = o.market_id) as base
       from ${schema}.orders o
       where o.close_reason is null and o.number > $1 order by o.number limit $2`,
      [from[0], rowsMax],
    );
    return { frame, rows };
  });
}

type OrderTerms = Pick<EngineOrder, 'user' | 'market' | 'sizeLots' | 'remainingLots'>;

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function orderOf(row: any): OrderTerms {
  const sizeLots = Number(row.size_lots);
  return {
    user: Number(row.user_id),
    market: Number(row.market_id),
    sizeLots,
    remainingLots: sizeLots - Number(row.filled_lots),
  };
}

function orderText({ market, remainingLots, sizeLots, user }: OrderTerms): string {
  return `${sizeLots - remainingLots} of ${sizeLots} lots filled, market ${market}, user ${user}`;
}
