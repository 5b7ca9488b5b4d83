// The public data of all markets as one state, advanced by events. Reports what has changed since
// the last call, so only changes are sent.

import type {
  AssetListed,
  Event,
  MarketListed,
  MarketStatus,
  TradeExecuted,
} from '../messages/index.ts';
import type {
  AssetId,
  Atoms,
  LotSize,
  MarketId,
  Ppm,
  TickSize,
  Ticks,
  TimeMs,
} from '../money/index.ts';
import { assert } from '../structures/index.ts';
import { CandleSeries } from './candles.ts';
import { DayTicker } from './day-ticker.ts';
import { LastTrades } from './last-trades.ts';
import { type MarketTrade, marketTradeOf } from './market-trade.ts';
import { OpenOrders } from './open-orders.ts';
import { foldOrderEvent } from './order-fold.ts';
import { RESOLUTIONS } from './resolutions.ts';

export interface ListedAsset {
  readonly asset: AssetId;
  readonly symbol: string;
  readonly scale: number;
}

/** The scales and names of a market, to write its numbers as decimals. */
export interface ListedMarket {
  readonly market: MarketId;
  /** `base-quote`. */
  readonly symbol: string;
  readonly base: ListedAsset;
  readonly quote: ListedAsset;
  readonly lot: LotSize;
  readonly tick: TickSize;
  readonly tickLotAtoms: Atoms;
}

/** The changes of a market since the last `takeChanges`. */
export interface MarketChange {
  readonly market: MarketState;
  isBookChanged: boolean;
  /** The status, the end of an auction, or what its price depends on in addition to the book. */
  isStatusChanged: boolean;
  /** Oldest first. */
  newTrades: MarketTrade[];
}

export interface MarketState {
  readonly listed: ListedMarket;
  status: MarketStatus;
  /** The end of the auction; 0 for no such time. */
  auctionEndsMs: TimeMs;
  /** Center of the band; 0 for none. */
  referenceTicks: Ticks;
  bandPpm: Ppm;
  day: DayTicker;
  trades: LastTrades;
  /** In the order of RESOLUTIONS. */
  candles: readonly CandleSeries[];
}

export class MarketData {
  readonly orders = new OpenOrders();
  readonly assets = new Map<AssetId, ListedAsset>();
  readonly markets = new Map<MarketId, MarketState>();
  #changed = new Map<MarketId, MarketChange>();

  apply(event: Event, timeMs: TimeMs): void {
    foldOrderEvent(event, timeMs, this.orders);
    switch (event.kind) {
      case 'OrderPlaced':
      case 'OrderTriggered':
      case 'OrderAmended':
      case 'OrderClosed':
        this.#change(event.market).isBookChanged = true;
        break;
      case 'TradeExecuted':
        this.#traded(event, timeMs);
        break;
      case 'AssetListed':
        this.listAsset(event);
        break;
      case 'MarketListed':
        this.listMarket(event);
        break;
      case 'MarketStatusSet': {
        const { auctionEndsMs, status } = event;
        this.#changeStatus(event.market, { auctionEndsMs, status });
        break;
      }
      case 'PriceBandSet': {
        const { bandPpm, referenceTicks } = event;
        this.#changeStatus(event.market, { bandPpm, referenceTicks });
        break;
      }
      case 'BandReferenceMoved':
        this.#changeStatus(event.market, { referenceTicks: event.referenceTicks });
        break;
    }
  }

  /** Returns the changes since the last call. */
  takeChanges(): Iterable<MarketChange> {
    const changed = this.#changed;
    this.#changed = new Map();
    return changed.values();
  }

  asset(asset: AssetId): ListedAsset {
    const found = this.assets.get(asset);
    assert(found !== undefined, 'assets are listed before they are used');
    return found;
  }

  market(market: MarketId): MarketState {
    const found = this.markets.get(market);
    assert(found !== undefined, 'markets are listed before they are used');
    return found;
  }

  listAsset({ asset, scale, symbol }: Pick<AssetListed, 'asset' | 'scale' | 'symbol'>): void {
    this.assets.set(asset, { asset, symbol, scale });
  }

  listMarket(event: Listing): void {
    const [base, quote] = [this.asset(event.base), this.asset(event.quote)];
    const listed = {
      market: event.market,
      symbol: `${base.symbol}-${quote.symbol}`,
      base,
      quote,
      lot: { atoms: event.lotAtoms, scale: base.scale },
      tick: { mantissa: event.tickMantissa, scale: event.tickScale },
      tickLotAtoms: event.tickLotAtoms,
    };
    this.markets.set(event.market, {
      listed,
      status: event.status,
      auctionEndsMs: 0 as TimeMs,
      referenceTicks: event.referenceTicks,
      bandPpm: 0 as Ppm,
      day: new DayTicker(),
      trades: new LastTrades(),
      candles: RESOLUTIONS.map((resolution) => new CandleSeries(resolution)),
    });
    this.#change(event.market).isBookChanged = true;
  }

  #changeStatus(id: MarketId, fields: Partial<MarketState>): void {
    const change = this.#change(id);
    Object.assign(change.market, fields);
    change.isStatusChanged = true;
  }

  #traded(event: TradeExecuted, timeMs: TimeMs): void {
    const trade = marketTradeOf(event, timeMs);
    if (trade === undefined) return;
    const change = this.#change(event.market);
    const { candles, day, trades } = change.market;
    day.add(trade);
    trades.add(trade);
    for (const series of candles) series.add(trade);
    change.isBookChanged = true;
    change.newTrades.push(trade);
  }

  #change(id: MarketId): MarketChange {
    let change = this.#changed.get(id);
    if (change === undefined) {
      const market = this.market(id);
      change = { market, isBookChanged: false, isStatusChanged: false, newTrades: [] };
      this.#changed.set(id, change);
    }
    return change;
  }
}

type Listing = Pick<
  MarketListed,
  | ('market' | 'base' | 'quote' | 'lotAtoms' | 'tickMantissa' | 'tickScale' | 'tickLotAtoms')
  | ('referenceTicks' | 'status')
>;
