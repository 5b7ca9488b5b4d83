// The market data as rows of plain values, and back. Each row begins with its kind; amounts are
// strings. The caller stores the version next to the rows.

import type {
  MarketStatus,
  OrderType,
  SelfTradeMode,
  Side,
  TimeInForce,
  Trigger,
} from '../messages/index.ts';
import type {
  AssetId,
  Atoms,
  Lots,
  MarketId,
  OrderNumber,
  Ppm,
  Ticks,
  TimeMs,
  TradeNumber,
  UserId,
} from '../money/index.ts';
import { assert } from '../structures/index.ts';
import { type Candle, CandleSeries } from './candles.ts';
import { DayTicker } from './day-ticker.ts';
import { LastTrades } from './last-trades.ts';
import { MarketData, type MarketState } from './market-data.ts';
import type { MarketTrade } from './market-trade.ts';
import type { OpenOrder } from './order-fold.ts';
import { RESOLUTIONS } from './resolutions.ts';

export type SavedValue = string | number | boolean;
export type SavedRow = readonly SavedValue[];

/** The version of the rows below. A state of another version is rebuilt from the events. */
export const MARKET_DATA_VERSION = 5;

export function* saveMarketData(data: MarketData): Generator<SavedRow, void> {
  for (const { asset, scale, symbol } of data.assets.values()) {
    yield ['asset', asset, symbol, scale];
  }
  for (const market of data.markets.values()) yield* saveMarket(market);
  for (const order of data.orders.all()) yield saveOrder(order);
}

/** Accepts the rows of saveMarketData in their order; rejects others. */
export class MarketDataRestorer {
  readonly data = new MarketData();
  readonly #candles = new Map<string, Candle[]>();
  readonly #trades = new Map<number, MarketTrade[]>();
  readonly #lastTicks = new Map<number, Ticks>();

  /** False for a row of another kind. */
  take(row: SavedRow): boolean {
    switch (row[0]) {
      case 'asset':
        this.data.listAsset({ asset: row[1] as AssetId, ...symbolAndScale(row) });
        return true;
      case 'market':
        this.#takeMarket(row);
        return true;
      case 'candle':
        listIn(this.#candles, `${row[1]} ${row[2]}`).push(restoreCandle(row.slice(3)));
        return true;
      case 'trade':
        listIn(this.#trades, Number(row[1])).push(restoreTrade(row));
        return true;
      case 'order':
        this.data.orders.restore(restoreOrder(row));
        return true;
      default:
        return false;
    }
  }

  /** After the last row. */
  finish(): MarketData {
    for (const [id, market] of this.data.markets) {
      const minutes = this.#candles.get(`${id} day`) ?? [];
      market.day = new DayTicker(minutes, this.#lastTicks.get(id));
      market.trades = new LastTrades(this.#trades.get(id) ?? []);
      market.candles = RESOLUTIONS.map(
        (resolution) => new CandleSeries(resolution, this.#candles.get(`${id} ${resolution}`)),
      );
    }
    for (const _ of this.data.takeChanges());
    return this.data;
  }

  #takeMarket(row: SavedRow): void {
    const [, market, base, quote, lotAtoms, tickMantissa, tickScale, tickLotAtoms] = row;
    const [last, status, auctionEndsMs, referenceTicks, bandPpm] = row.slice(8);
    this.data.listMarket({
      market: market as MarketId,
      base: base as AssetId,
      quote: quote as AssetId,
      tickMantissa: Number(tickMantissa),
      tickScale: Number(tickScale),
      lotAtoms: BigInt(lotAtoms) as Atoms,
      tickLotAtoms: BigInt(tickLotAtoms) as Atoms,
      status: status as MarketStatus,
      referenceTicks: referenceTicks as Ticks,
    });
    const state = this.data.market(market as MarketId);
    state.auctionEndsMs = auctionEndsMs as TimeMs;
    state.bandPpm = bandPpm as Ppm;
    this.#lastTicks.set(Number(market), last as Ticks);
  }
}

function* saveMarket(state: MarketState): Generator<SavedRow, void> {
  const { base, lot, market, quote, tick, tickLotAtoms } = state.listed;
  const { lastTicks, minutes } = state.day;
  const pair = [market, base.asset, quote.asset];
  const steps = [`${lot.atoms}`, tick.mantissa, tick.scale, `${tickLotAtoms}`];
  const { auctionEndsMs, bandPpm, referenceTicks, status } = state;
  yield ['market', ...pair, ...steps, lastTicks, status, auctionEndsMs, referenceTicks, bandPpm];
  for (const minute of minutes) yield ['candle', market, 'day', ...saveCandle(minute)];
  for (const { last, resolution } of state.candles) {
    for (const candle of last) yield ['candle', market, resolution, ...saveCandle(candle)];
  }
  for (const trade of state.trades.newestFirst.toReversed()) {
    const { house, priceTicks, quoteAtoms, sizeLots, takerSide, timeMs, trade: number } = trade;
    yield [
      'trade',
      market,
      number,
      timeMs,
      takerSide,
      priceTicks,
      sizeLots,
      `${quoteAtoms}`,
      house,
    ];
  }
}

function symbolAndScale(row: SavedRow): { symbol: string; scale: number } {
  return { symbol: String(row[2]), scale: Number(row[3]) };
}

function saveCandle(candle: Candle): SavedValue[] {
  const { closeTicks, highTicks, lowTicks, openTicks, startMs } = candle;
  const { quoteVolumeAtoms, tradeCount, volumeLots } = candle;
  const prices = [openTicks, highTicks, lowTicks, closeTicks];
  return [startMs, ...prices, `${volumeLots}`, `${quoteVolumeAtoms}`, tradeCount];
}

function restoreCandle([startMs, open, high, low, close, volume, quoteVolume, count]: SavedRow) {
  return {
    startMs: startMs as TimeMs,
    openTicks: open as Ticks,
    highTicks: high as Ticks,
    lowTicks: low as Ticks,
    closeTicks: close as Ticks,
    volumeLots: BigInt(volume),
    quoteVolumeAtoms: BigInt(quoteVolume),
    tradeCount: Number(count),
  };
}

function restoreTrade(row: SavedRow): MarketTrade {
  const [, market, trade, timeMs, takerSide, priceTicks, sizeLots, quoteAtoms, house] = row;
  return {
    market: market as MarketId,
    trade: trade as TradeNumber,
    timeMs: timeMs as TimeMs,
    takerSide: takerSide as Side,
    priceTicks: priceTicks as Ticks,
    sizeLots: sizeLots as Lots,
    quoteAtoms: BigInt(quoteAtoms) as Atoms,
    house: !!house,
  };
}

function saveOrder(order: OpenOrder): SavedRow {
  return [
    'order',
    order.order,
    order.user,
    order.market,
    order.side,
    order.type,
    order.timeInForce,
    order.selfTrade,
    order.postOnly,
    order.quick,
    order.stopTicks,
    order.makerFeePpm,
    order.takerFeePpm,
    order.clientOrderId,
    order.note,
    order.createdMs,
    order.priceTicks,
    order.sizeLots,
    order.remainingLots,
    order.isWaiting,
    `${order.feeAtoms}`,
    `${order.filledQuoteAtoms}`,
    order.trigger,
    order.linkedOrder,
    order.expiresMs,
  ];
}

function restoreOrder(row: SavedRow): OpenOrder {
  assert(row.length === 25, 'a row of an order has all its values');
  return {
    order: row[1] as OrderNumber,
    user: row[2] as UserId,
    market: row[3] as MarketId,
    side: row[4] as Side,
    type: row[5] as OrderType,
    timeInForce: row[6] as TimeInForce,
    selfTrade: row[7] as SelfTradeMode,
    postOnly: !!row[8],
    quick: !!row[9],
    stopTicks: row[10] as Ticks,
    makerFeePpm: row[11] as Ppm,
    takerFeePpm: row[12] as Ppm,
    clientOrderId: String(row[13]),
    note: String(row[14]),
    createdMs: row[15] as TimeMs,
    priceTicks: row[16] as Ticks,
    sizeLots: row[17] as Lots,
    remainingLots: row[18] as Lots,
    isWaiting: !!row[19],
    feeAtoms: BigInt(row[20]),
    filledQuoteAtoms: BigInt(row[21]),
    trigger: row[22] as Trigger,
    linkedOrder: row[23] as OrderNumber,
    expiresMs: row[24] as TimeMs,
  };
}

function listIn<Key, Item>(lists: Map<Key, Item[]>, key: Key): Item[] {
  let list = lists.get(key);
  if (list === undefined) {
    list = [];
    lists.set(key, list);
  }
  return list;
}
