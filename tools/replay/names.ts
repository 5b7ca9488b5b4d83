// Formats assets, markets and amounts, with the scales and increments in the log.

import type { Exchange } from '../../core/engine/index.ts';
import { EXTERNAL_OWNER, FEES_OWNER } from '../../core/messages/index.ts';
import {
  type AssetId,
  type Atoms,
  decimalFromAtoms,
  decimalFromLots,
  decimalFromTicks,
  type Lots,
  type MarketId,
  type Ticks,
} from '../../core/money/index.ts';

export type Asset = Exchange['assets'][number];

/** Listings are never removed, so names stay valid at any later moment. */
export class Names {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  /** Finds an asset by symbol, or by ID if no symbol matches. */
  findAsset(text: string): Asset | undefined {
    const { assets } = this.#exchange;
    const named = assets.find(({ symbol }) => symbol === text);
    return named ?? assets.find(({ id }) => String(id) === text);
  }

  symbol(asset: AssetId): string {
    return this.#exchange.assets[asset - 1].symbol;
  }

  /** Without the symbol. */
  decimal(asset: AssetId, atoms: bigint): string {
    return decimalFromAtoms(atoms as Atoms, this.#exchange.assets[asset - 1].scale);
  }

  amount(asset: AssetId, atoms: bigint): string {
    return `${this.decimal(asset, atoms)} ${this.symbol(asset)}`;
  }

  /** Markets do not have their own symbol. */
  market(id: MarketId): string {
    const { base, quote } = this.#exchange.markets[id - 1];
    return `${this.symbol(base)}-${this.symbol(quote)}`;
  }

  /** Formats an amount in a market's quote asset. */
  quoteAmount(market: MarketId, atoms: bigint): string {
    return this.amount(this.#exchange.markets[market - 1].quote, atoms);
  }

  price(market: MarketId, ticks: Ticks): string {
    const { tickMantissa, tickScale } = this.#exchange.markets[market - 1];
    return decimalFromTicks(ticks, { mantissa: tickMantissa, scale: tickScale });
  }

  size(market: MarketId, lots: Lots): string {
    const { base, lotAtoms } = this.#exchange.markets[market - 1];
    const { scale } = this.#exchange.assets[base - 1];
    return decimalFromLots(lots, { atoms: lotAtoms, scale });
  }
}

export function ownerText(owner: number): string {
  if (owner === EXTERNAL_OWNER) return 'external';
  return owner === FEES_OWNER ? 'fees' : `user ${owner}`;
}
