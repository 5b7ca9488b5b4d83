// The engine failed on a command, and what it touches is frozen.

import type { CommandPoisoned } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

const INSERT = `
  insert into freezes (frame, event_index, command, market_id, channel, frozen_at)
  values ($1, $2, $3, $4, $5, $6)`;

export function commandPoisoned(event: CommandPoisoned, batch: Batch, place: Place): void {
  const { channel, command, market } = event;
  const frozen = [market === 0 ? null : market, channel === 0 ? null : channel];
  const values = [place.frame, place.eventIndex, command, ...frozen, new Date(place.timeMs)];
  batch.statements.push({ text: INSERT, values });
}
