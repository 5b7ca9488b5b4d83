// An order left the exchange.

import type { OrderClosed } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

export function orderClosed(event: OrderClosed, batch: Batch, place: Place): void {
  batch.orders.close(event.order, event.reason, place);
}
