// An order begins.

import { foldOrderEvent } from '../../../core/market-data/index.ts';
import type { OrderPlaced } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

export function orderPlaced(event: OrderPlaced, batch: Batch, place: Place): void {
  foldOrderEvent(event, place, batch.orders);
}
