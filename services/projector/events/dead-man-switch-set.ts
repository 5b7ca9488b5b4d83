// A dead man's switch was set or disarmed.

import type { DeadManSwitchSet } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

export function deadManSwitchSet(event: DeadManSwitchSet, batch: Batch, place: Place): void {
  const deadlineMs = event.deadlineMs === 0 ? undefined : event.deadlineMs;
  batch.switches.set(event, deadlineMs, place.timeMs);
}
