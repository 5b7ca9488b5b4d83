// Orders, trades and balances of all users.

import { parseOrderId } from '../../../core/messages/index.ts';
import {
  type AssetId,
  type Atoms,
  decimalFromAtoms,
  type OrderNumber,
  type UserId,
} from '../../../core/money/index.ts';
import { orderOfRow } from '../../../infra/projections/index.ts';
import {
  assetFilter,
  type Call,
  type Dependencies,
  marketFilter,
  type Row,
  requireFresh,
} from '../../../platform/http/index.ts';
import {
  type BalanceOfUser,
  operatorTradeJson,
  type Routes,
  timeText,
} from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { operatorOf } from '../../approvals/http/index.ts';
import type { CatalogueNow } from '../../listings/index.ts';
import { shownUser } from '../../pii-access/http/index.ts';
import { type PersonalView, viewOf } from '../../pii-access/index.ts';
import { OPTIONAL_ORDER_FIELDS } from '../../trading/api/index.ts';
import { marketOf, orderText } from '../../trading/http/index.ts';
import { balancesOfUsers } from '../lists/balances.ts';
import { ordersOfUsers } from '../lists/orders.ts';
import { tradeOfRow, tradesOfUsers } from '../lists/trades.ts';
import { answerOperatorList, datesOf } from './answer-list.ts';

const NO_ORDER = 0 as OrderNumber;

export async function getOrdersOfUsers(
  call: Call<Routes['getOrdersOfUsers']>,
  dependencies: Dependencies,
) {
  const { id, open, side, status, symbol, user_id } = call.query;
  const isOpenOnly = status === 'open';
  const market = marketFilter(dependencies, symbol);
  if (market instanceof Refused) return market;
  const filter = {
    user: user_id as UserId | undefined,
    market: market ?? undefined,
    side,
    status: isOpenOnly ? undefined : status,
    isOpen: isOpenOnly ? true : open,
    // An ID without an order finds none.
    number: id === undefined ? undefined : (parseOrderId(id) ?? NO_ORDER),
    ...datesOf(call.query),
  };
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const { now } = dependencies.catalogue;
  const view = await viewOf(dependencies.registry, operatorOf(call));
  return answerOperatorList(call, dependencies, {
    ...ordersOfUsers(filter, dependencies.exchange.projectionSchema),
    write: (row) => orderJson(now, row, view),
    optionalColumns: OPTIONAL_ORDER_FIELDS,
    name: 'orders',
  });
}

function orderJson(now: CatalogueNow, row: Row, view: PersonalView): string {
  const order = orderOfRow(row);
  const user = { ...shownUser(order.user, row.email, view), username: view.text(row.username) };
  const more = `"network_id":${order.user},"User":${JSON.stringify(user)}`;
  return `${orderText(now, order).slice(0, -1)},${more}}`;
}

export async function getTradesOfUsers(
  call: Call<Routes['getTradesOfUsers']>,
  dependencies: Dependencies,
) {
  const { side, symbol, user_id } = call.query;
  const market = marketFilter(dependencies, symbol);
  if (market instanceof Refused) return market;
  const filter = {
    user: user_id as UserId | undefined,
    market: market ?? undefined,
    side,
    ...datesOf(call.query),
  };
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const { now } = dependencies.catalogue;
  return answerOperatorList(call, dependencies, {
    ...tradesOfUsers(filter, dependencies.exchange.projectionSchema),
    write(row) {
      const trade = tradeOfRow(row);
      return operatorTradeJson(marketOf(now, trade.market), trade);
    },
    name: 'trades',
  });
}

export async function getBalancesOfUsers(
  call: Call<Routes['getBalancesOfUsers']>,
  dependencies: Dependencies,
) {
  const { currency, type, user_id } = call.query;
  const asset = assetFilter(dependencies, currency);
  if (asset instanceof Refused) return asset;
  const filter = {
    user: user_id as UserId | undefined,
    asset: asset ?? undefined,
    kind: type,
  };
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const { now } = dependencies.catalogue;
  return answerOperatorList(call, dependencies, {
    ...balancesOfUsers(filter, dependencies.exchange.projectionSchema),
    write: (row) => JSON.stringify(balanceJson(now, row)),
    name: 'balances',
  });
}

function balanceJson({ assetsById }: CatalogueNow, row: Row): BalanceOfUser {
  const asset = assetsById.get(Number(row.asset_id) as AssetId);
  if (asset === undefined) throw new Error(`asset ${row.asset_id} is not in the catalog yet`);
  const available = BigInt(row.available_atoms);
  const total = available + BigInt(row.held_atoms);
  const user = Number(row.owner);
  return {
    user_id: user,
    network_id: user,
    symbol: asset.symbol,
    balance: decimalFromAtoms(total as Atoms, asset.scale),
    available: decimalFromAtoms(available as Atoms, asset.scale),
    updated_at: timeText(row.updated_at.getTime()),
  };
}
