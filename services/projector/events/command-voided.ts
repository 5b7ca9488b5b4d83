// The operator decided to go on without a poison command.

import type { CommandVoided } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

const UPDATE = 'update freezes set voided_at = $2 where command = $1 and voided_at is null';

export function commandVoided(event: CommandVoided, batch: Batch, place: Place): void {
  batch.statements.push({ text: UPDATE, values: [event.voided, new Date(place.timeMs)] });
}
