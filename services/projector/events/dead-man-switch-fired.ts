// A dead man's switch ran out.

import type { DeadManSwitchFired } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

export function deadManSwitchFired(event: DeadManSwitchFired, batch: Batch, place: Place): void {
  batch.switches.fire(event, event.ordersCanceled, place.timeMs);
}
