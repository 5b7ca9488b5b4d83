// A stop met its price.

import { foldOrderEvent } from '../../../core/market-data/index.ts';
import type { OrderTriggered } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

export function orderTriggered(event: OrderTriggered, batch: Batch, place: Place): void {
  foldOrderEvent(event, place, batch.orders);
}
