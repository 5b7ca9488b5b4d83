// A user's orders, newest first: all of them, or only the open or the closed ones.

import { orderOfRow, orderSortColumns, ordersOfUser } from '../../../infra/projections/index.ts';
import {
  answerList,
  type Call,
  type Dependencies,
  marketFilter,
  momentFilter,
  requireFresh,
} from '../../../platform/http/index.ts';
import type { Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { findUser } from '../../accounts/index.ts';
import { OPTIONAL_ORDER_FIELDS } from '../api/index.ts';
import { orderText } from './order-answers.ts';

/** A deployment has one exchange. */
const EXCHANGE_ID = 1;

export async function getOrders(call: Call<Routes['getOrders']>, dependencies: Dependencies) {
  const { caller, query } = call;
  const { end_date, open, side, start_date, status, symbol } = query;
  const market = marketFilter(dependencies, symbol);
  if (market instanceof Refused) return market;
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const { email, user: id } = caller;
  const username = (await findUser(dependencies.registry, id))?.username ?? null;
  const whose = `,"User":${JSON.stringify({ id, email, username, exchange_id: EXCHANGE_ID })}}`;
  const dates = [momentFilter(start_date), momentFilter(end_date)];
  return answerList(call, {
    ...ordersOfUser,
    pool: dependencies.projections,
    clock: dependencies.clock,
    values: [id, market, side ?? null, status ?? null, open ?? null, ...dates],
    sortColumns: orderSortColumns(),
    write: (row) => orderText(dependencies.catalogue.now, orderOfRow(row)).slice(0, -1) + whose,
    optionalColumns: OPTIONAL_ORDER_FIELDS,
    fileName: `${dependencies.exchange.name}-orders`,
  });
}
