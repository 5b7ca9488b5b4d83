// A withdrawal gave back what it held.

import type { WithdrawalCanceled } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

const UPDATE = `
  update withdrawals set status = 'canceled', updated_at = $2
  where withdrawal = $1 and status = 'open'`;

export function withdrawalCanceled(event: WithdrawalCanceled, batch: Batch, place: Place): void {
  batch.statements.push({ text: UPDATE, values: [event.withdrawal, new Date(place.timeMs)] });
}
