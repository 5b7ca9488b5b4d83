// A withdrawal has left the exchange.

import type { WithdrawalCompleted } from '../../../core/messages/index.ts';
import { storableText } from '../../../infra/postgres/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

const UPDATE = `
  update withdrawals set status = 'completed', reference = $2, updated_at = $3
  where withdrawal = $1 and status = 'open'`;

export function withdrawalCompleted(event: WithdrawalCompleted, batch: Batch, place: Place): void {
  const values = [event.withdrawal, storableText(event.reference), new Date(place.timeMs)];
  batch.statements.push({ text: UPDATE, values });
}
