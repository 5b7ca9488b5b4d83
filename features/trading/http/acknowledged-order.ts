// Acknowledged fields of an order, for responses while the tables with the other fields are
// unavailable. An absent field is unknown, never zero.

import {
  type OrderState,
  percentText,
  priceText,
  sizeText,
} from '../../../core/market-data/index.ts';
import { type CloseReason, type OrderClosed, orderIdText } from '../../../core/messages/index.ts';
import type { Lots, OrderNumber } from '../../../core/money/index.ts';
import { decimal, type KnownOrder, timeText } from '../../../protocol/index.ts';
import type { CatalogueNow } from '../../listings/index.ts';

export interface AcknowledgedFacts {
  readonly order: OrderNumber;
  /** The order as placed through this gateway. */
  readonly placed?: OrderState | undefined;
  readonly closed?: OrderClosed | undefined;
  /** Set if the order has closed, with or without its event. */
  readonly closeReason?: CloseReason | undefined;
  readonly updatedMs: number;
}

export function acknowledgedOrder(catalogue: CatalogueNow, what: AcknowledgedFacts): KnownOrder {
  const { closed, order, placed, updatedMs } = what;
  const reason = closed?.reason ?? what.closeReason;
  const status = reason === 'filled' ? 'filled' : 'canceled';
  return {
    id: orderIdText(order),
    ...(closed !== undefined && partOfEvent(catalogue, closed)),
    ...(placed !== undefined && partOfPlacing(catalogue, placed, closed)),
    ...(reason !== undefined && { status, close_reason: reason }),
    updated_at: timeText(updatedMs),
  };
}

/** The held asset determines the side: a sell order holds the base. */
function partOfEvent({ marketsById }: CatalogueNow, closed: OrderClosed): Partial<KnownOrder> {
  const market = marketsById.get(closed.market);
  if (market === undefined) return { created_by: closed.user };
  const sells = closed.heldAsset === market.base.asset;
  return {
    side: sells ? 'sell' : 'buy',
    symbol: market.symbol,
    fee_coin: (sells ? market.quote : market.base).symbol,
    created_by: closed.user,
  };
}

function partOfPlacing(
  { marketsById }: CatalogueNow,
  placed: OrderState,
  closed: OrderClosed | undefined,
): Partial<KnownOrder> {
  const market = marketsById.get(placed.market);
  if (market === undefined) return {};
  const { clientOrderId, note, postOnly, priceTicks, sizeLots, stopTicks, trigger, type } = placed;
  const filledLots = closed === undefined ? undefined : sizeLots - closed.remainingLots;
  return {
    side: placed.side,
    symbol: market.symbol,
    type,
    size: decimal(sizeText(market, sizeLots)),
    price: decimal(type === 'market' ? '0' : priceText(market, priceTicks)),
    stop: stopTicks > 0 ? decimal(priceText(market, stopTicks)) : null,
    ...(trigger !== 'stop' && { trigger }),
    ...(placed.expiresMs !== 0 && { expires_at: timeText(placed.expiresMs) }),
    ...(placed.linkedOrder !== 0 && { linked_order_id: orderIdText(placed.linkedOrder) }),
    ...(filledLots !== undefined && { filled: decimal(sizeText(market, filledLots as Lots)) }),
    meta: { ...(postOnly && { post_only: true }), ...(note !== '' && { note }) },
    fee_structure: {
      maker: decimal(percentText(placed.makerFeePpm)),
      taker: decimal(percentText(placed.takerFeePpm)),
    },
    ...(clientOrderId !== '' && { client_order_id: clientOrderId }),
    created_by: placed.user,
    created_at: timeText(placed.createdMs),
  };
}
