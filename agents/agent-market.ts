// A market as agents see it. Agents think in floats; a price becomes ticks and a size becomes lots
// here and nowhere else.

export type Side = 'buy' | 'sell';

export interface AgentMarket {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** One tick in quote units for one base unit, and one lot in base units. */
  readonly tick: number;
  readonly lot: number;
  readonly minLots: number;
  readonly maxLots: number;
  /** How busy the market is, relative to the busiest. */
  readonly activity: number;
  /** The maker's smallest distance from its price, in basis points. */
  readonly halfBps: number;
}

export const BPS = 1e-4;

/** Rounds away from the other side: a buyer's price down, a seller's up. */
export function ticksAt({ tick }: AgentMarket, price: number, side: Side): number {
  const ticks = price / tick;
  // A millionth forgives the last digits of the division.
  return Math.max(side === 'buy' ? Math.floor(ticks + 1e-6) : Math.ceil(ticks - 1e-6), 1);
}

/** 0 for a size below the market's minimum. */
export function lotsOf({ lot, maxLots, minLots }: AgentMarket, size: number): number {
  const lots = Math.floor(size / lot + 1e-6);
  return lots < minLots ? 0 : Math.min(lots, maxLots);
}
