// The fees of a tier in a market.

import type { MarketFeesSet } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

const UPSERT = `
  insert into market_fees (market_id, tier, maker_ppm, taker_ppm, updated_at)
  values ($1, $2, $3, $4, $5)
  on conflict (market_id, tier) do update
  set maker_ppm = excluded.maker_ppm, taker_ppm = excluded.taker_ppm,
    updated_at = excluded.updated_at`;

export function marketFeesSet(event: MarketFeesSet, batch: Batch, place: Place): void {
  const { makerPpm, market, takerPpm, tier } = event;
  const values = [market, tier, makerPpm, takerPpm, new Date(place.timeMs)];
  batch.statements.push({ text: UPSERT, values });
}
