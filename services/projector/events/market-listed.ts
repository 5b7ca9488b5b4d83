// A market begins. Its name is made of the symbols of its assets.

import type { MarketListed } from '../../../core/messages/index.ts';
import type { Batch } from '../batch.ts';
import type { Place } from '../place.ts';

const INSERT = `
  insert into markets (id, name, base_id, quote_id, lot_atoms, tick_mantissa, tick_scale,
    tick_lot_atoms, min_price_ticks, max_price_ticks, min_size_lots, max_size_lots,
    reference_ticks, status, listed_at, updated_at)
  select $1, b.symbol || '-' || q.symbol, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
    $14
  from assets b, assets q where b.id = $2 and q.id = $3`;

export function marketListed(event: MarketListed, batch: Batch, place: Place): void {
  const { base, lotAtoms, market, quote, tickLotAtoms, tickMantissa, tickScale } = event;
  const { maxPriceTicks, maxSizeLots, minPriceTicks, minSizeLots } = event;
  const steps = [lotAtoms, tickMantissa, tickScale, tickLotAtoms];
  const bounds = [minPriceTicks, maxPriceTicks, minSizeLots, maxSizeLots];
  const begin = [event.referenceTicks, event.status, new Date(place.timeMs)];
  batch.statements.push({
    text: INSERT,
    values: [market, base, quote, ...steps, ...bounds, ...begin],
  });
}
