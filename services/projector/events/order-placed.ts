// An order begins.

import type { OrderPlaced } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

export function orderPlaced(event: OrderPlaced, batch: Batch, place: Place): void {
  batch.orders.place(event, place);
}
