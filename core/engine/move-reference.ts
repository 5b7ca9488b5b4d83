// The market moves the reference of its band: by time, or by its first trade.

import type { Ticks } from '../money/index.ts';
import type { Exchange } from './exchange.ts';
import { type Market, setReference } from './market.ts';

/** Restarts the window. A changed reference is an event. */
export function moveReference(exchange: Exchange, market: Market, referenceTicks: Ticks): void {
  const isChanged = market.referenceTicks !== referenceTicks;
  setReference(market, referenceTicks, exchange.timeMs);
  if (!isChanged) return;
  exchange.events.push({
    kind: 'BandReferenceMoved',
    command: exchange.command,
    market: market.id,
    referenceTicks,
  });
}
