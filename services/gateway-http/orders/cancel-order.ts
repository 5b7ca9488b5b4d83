// Cancels orders of a caller, and gives them as JSON. A cancel that was taken is never answered
// with an error, whatever else is away.

import type { OrderClosed } from '../../../core/messages/index.ts';
import type { MarketId, OrderNumber } from '../../../core/money/index.ts';
import type { Caller } from '../../../domain/credentials/index.ts';
import type { Parts } from '../parts.ts';
import { type Accepted, submitCommand } from '../submit-command.ts';
import { readCanceledSince, readOrderByClientId } from './order-rows.ts';
import { inTime, tellCanceled, tellClosed, wholeText } from './whole-orders.ts';

const ALL_READ_MS = 3_000;

export async function cancelByNumber(
  parts: Parts,
  { user }: Caller,
  order: OrderNumber,
): Promise<string> {
  const accepted = await submitCommand(parts, {
    kind: 'CancelOrder',
    user,
    order,
    byOperator: false,
  });
  const [text] = await tellClosed(parts, accepted, closedBy(accepted));
  return text ?? tellCanceled(parts, accepted, order);
}

export async function cancelByClientId(
  parts: Parts,
  { user }: Caller,
  clientOrderId: string,
): Promise<string> {
  const accepted = await submitCommand(parts, {
    kind: 'CancelOrderByClientId',
    user,
    clientOrderId,
  });
  const [text] = await tellClosed(parts, accepted, closedBy(accepted));
  if (text !== undefined) return text;
  const row = await inTime(parts, accepted.frame, ALL_READ_MS, () =>
    readOrderByClientId(parts.projections, { user, clientOrderId }),
  );
  if (row !== undefined) return wholeText(parts, row);
  return JSON.stringify({ client_order_id: clientOrderId, status: 'canceled' });
}

/** Of one market, or of all with 0. */
export async function cancelAll(
  parts: Parts,
  { user }: Caller,
  market: MarketId | 0,
): Promise<string> {
  const sinceFrame = parts.fresh.projectedFrame;
  const accepted = await submitCommand(parts, {
    kind: 'CancelAllOrders',
    user,
    market: market as MarketId,
    byOperator: false,
  });
  if (accepted.hasAllEvents) {
    const texts = await tellClosed(parts, accepted, closedBy(accepted));
    return `[${texts.join(',')}]`;
  }
  const rows = await inTime(parts, accepted.frame, ALL_READ_MS, () =>
    readCanceledSince(parts.projections, { user, market, sinceFrame }),
  );
  const texts = (rows ?? []).map((order) => wholeText(parts, order));
  return `[${texts.join(',')}]`;
}

/** A cancel closes orders of its user and does nothing else. */
function closedBy({ events }: Accepted): OrderClosed[] {
  return events.filter((event) => event.kind === 'OrderClosed');
}
