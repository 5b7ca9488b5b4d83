// Money came in from outside.

import type { DepositCredited } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

export function depositCredited(event: DepositCredited, batch: Batch, place: Place): void {
  batch.deposits.row().integer(event.command).text('deposit').integer(event.user);
  batch.deposits.integer(event.asset).bigint(event.amountAtoms).text(event.reference);
  batch.deposits.time(place.timeMs);
}
