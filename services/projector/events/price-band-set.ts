// The price band of a market, and its reference after the command.

import type { PriceBandSet } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

const UPDATE = `
  update markets set band_ppm = $2, slippage_ppm = $3, reference_ticks = $4, updated_at = $5
  where id = $1`;

export function priceBandSet(event: PriceBandSet, batch: Batch, place: Place): void {
  const { bandPpm, market, referenceTicks, slippagePpm } = event;
  const values = [market, bandPpm, slippagePpm, referenceTicks, new Date(place.timeMs)];
  batch.statements.push({ text: UPDATE, values });
}
