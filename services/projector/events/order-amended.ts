// An order has another price or size.

import { foldOrderEvent } from '../../../core/market-data/index.ts';
import type { OrderAmended } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

export function orderAmended(event: OrderAmended, batch: Batch, place: Place): void {
  foldOrderEvent(event, place, batch.orders);
}
