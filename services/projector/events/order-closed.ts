// An order left the exchange.

import { foldOrderEvent } from '../../../core/market-data/index.ts';
import type { OrderClosed } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

export function orderClosed(event: OrderClosed, batch: Batch, place: Place): void {
  foldOrderEvent(event, place, batch.orders);
}
