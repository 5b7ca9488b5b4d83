// A market accepts something else from now on.

import type { MarketStatusSet } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

const UPDATE = 'update markets set status = $2, updated_at = $3 where id = $1';

export function marketStatusSet(event: MarketStatusSet, batch: Batch, place: Place): void {
  const values = [event.market, event.status, new Date(place.timeMs)];
  batch.statements.push({ text: UPDATE, values });
}
