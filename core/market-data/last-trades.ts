// The last trades of a market, as many as a new subscriber receives.

import type { MarketTrade } from './market-trade.ts';

export const LAST_TRADES_MAX = 50;

export class LastTrades {
  /** Oldest first. */
  #trades: MarketTrade[];

  constructor(saved: readonly MarketTrade[] = []) {
    this.#trades = [...saved];
  }

  add(trade: MarketTrade): void {
    this.#trades.push(trade);
    if (this.#trades.length >= 2 * LAST_TRADES_MAX) {
      this.#trades = this.#trades.slice(-LAST_TRADES_MAX);
    }
  }

  get newestFirst(): readonly MarketTrade[] {
    return this.#trades.slice(-LAST_TRADES_MAX).reverse();
  }
}
