// Cancels a caller's orders and returns them as JSON. Once the engine has accepted a cancel, the
// response is never an error.

import type { OrderClosed } from '../../../core/messages/index.ts';
import type { MarketId, OrderNumber } from '../../../core/money/index.ts';
import { type Accepted, type Dependencies, submitCommand } from '../../../platform/http/index.ts';
import type { ErrorKey } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { Caller } from '../../auth/index.ts';
import { bestOrderJson, canceledOrderJson, closedOrdersJson, readWithin } from './order-answers.ts';
import { readCanceledSince, readOrderByClientId } from './order-rows.ts';

const ALL_READ_MS = 3_000;

export async function cancelByNumber(
  dependencies: Dependencies,
  { user }: Caller,
  order: OrderNumber,
): Promise<string | Refused<ErrorKey>> {
  const accepted = await submitCommand(dependencies, {
    kind: 'CancelOrder',
    user,
    order,
    byOperator: false,
  });
  if (accepted instanceof Refused) return accepted;
  const [text] = await closedOrdersJson(dependencies, accepted, closedBy(accepted));
  return text ?? canceledOrderJson(dependencies, accepted, order);
}

export async function cancelByClientId(
  dependencies: Dependencies,
  { user }: Caller,
  clientOrderId: string,
): Promise<string | Refused<ErrorKey>> {
  const accepted = await submitCommand(dependencies, {
    kind: 'CancelOrderByClientId',
    user,
    clientOrderId,
  });
  if (accepted instanceof Refused) return accepted;
  const [text] = await closedOrdersJson(dependencies, accepted, closedBy(accepted));
  if (text !== undefined) return text;
  const row = await readWithin(dependencies, accepted.frame, ALL_READ_MS, () =>
    readOrderByClientId(dependencies.projections, { user, clientOrderId }),
  );
  if (row !== undefined) return bestOrderJson(dependencies, row);
  return JSON.stringify({ client_order_id: clientOrderId, status: 'canceled' });
}

/** Cancels in one market, or in all markets with 0. */
export async function cancelAll(
  dependencies: Dependencies,
  { user }: Caller,
  market: MarketId | 0,
): Promise<string | Refused<ErrorKey>> {
  const sinceFrame = dependencies.fresh.projectedFrame;
  const accepted = await submitCommand(dependencies, {
    kind: 'CancelAllOrders',
    user,
    market: market as MarketId,
    byOperator: false,
  });
  if (accepted instanceof Refused) return accepted;
  if (accepted.hasAllEvents) {
    const texts = await closedOrdersJson(dependencies, accepted, closedBy(accepted));
    return `[${texts.join(',')}]`;
  }
  const rows = await readWithin(dependencies, accepted.frame, ALL_READ_MS, () =>
    readCanceledSince(dependencies.projections, { user, market, sinceFrame }),
  );
  const texts = (rows ?? []).map((order) => bestOrderJson(dependencies, order));
  return `[${texts.join(',')}]`;
}

/** A cancel only closes orders of its user. */
function closedBy({ events }: Accepted): OrderClosed[] {
  return events.filter((event) => event.kind === 'OrderClosed');
}
