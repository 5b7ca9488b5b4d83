// A trade as the market sees it, for candles, tickers and lists of trades. Decides which trades
// count; see docs/decisions/0011-live-feed.md.

import type { Side, TradeExecuted } from '../messages/index.ts';
import type { Atoms, Lots, MarketId, Ticks, TimeMs, TradeNumber } from '../money/index.ts';

export interface MarketTrade {
  readonly trade: TradeNumber;
  readonly market: MarketId;
  readonly timeMs: TimeMs;
  readonly takerSide: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly quoteAtoms: Atoms;
  /** A house trade moves prices and is excluded from volume and count. */
  readonly house: boolean;
}

/** `timeMs` is the event frame's. Undefined for a direct trade, which is not part of the market. */
export function marketTradeOf(event: TradeExecuted, timeMs: TimeMs): MarketTrade | undefined {
  const { house, market, priceTicks, quoteAtoms, sizeLots, takerSide, trade } = event;
  if (event.takerOrder === 0) return undefined;
  return { trade, market, timeMs, takerSide, priceTicks, sizeLots, quoteAtoms, house };
}
