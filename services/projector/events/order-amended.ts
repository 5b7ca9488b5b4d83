// An order has another price or size.

import type { OrderAmended } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

export function orderAmended(event: OrderAmended, batch: Batch, place: Place): void {
  batch.orders.amend(event.order, event, place);
}
