// Public data as JSON for clients. Each value has a body, which is compared to detect changes, and
// an end with its creation time.

import {
  type AssetPrice,
  decimalOfRatio,
  indicativePrice,
  type ListedMarket,
  type MarketData,
  type MarketState,
  type MarketTrade,
  type PriceLevel,
  priceText,
  RESOLUTIONS,
  volumeText,
} from '../../core/market-data/index.ts';
import { candleJson, publicTradeJson, tickerJsonBody, timeText } from '../../protocol/index.ts';

export interface WireValue {
  readonly body: string;
  readonly end: string;
}

export function bookValue(
  data: MarketData,
  { listed }: MarketState,
  { levels, timeMs }: { readonly levels: number; readonly timeMs: number },
): WireValue {
  const { asks, bids } = data.orders.topOf(listed.market, levels);
  const body = `{"bids":${levelsJson(listed, bids)},"asks":${levelsJson(listed, asks)}`;
  return { body, end: timestampEnd(timeMs) };
}

/** Price and sizes only while the market collects orders. */
export function auctionValue(data: MarketData, market: MarketState, timeMs: number): WireValue {
  const { auctionEndsMs, listed, status } = market;
  const found = status === 'auction' ? indicativePrice(data.orders, market) : undefined;
  const price = found === undefined ? 'null' : priceText(listed, found.priceTicks);
  const [volume, imbalance] = [found?.volumeLots ?? 0n, found?.imbalanceLots ?? 0n];
  const endsAt = auctionEndsMs === 0 ? 'null' : `"${timeText(auctionEndsMs)}"`;
  const body =
    `{"status":"${status}","price":${price},"volume":${volumeText(listed, volume)}` +
    `,"imbalance":${volumeText(listed, imbalance)},"ends_at":${endsAt}`;
  return { body, end: timestampEnd(timeMs) };
}

export function tradesValue({ listed, trades }: MarketState): WireValue {
  return { body: tradesJson(listed, trades.newestFirst), end: '' };
}

// A trade is sent when it is new, and again among the last 50, so its text is written once.
const tradeTexts = new WeakMap<MarketTrade, string>();

/** In the given order, newest first. */
export function tradesJson(listed: ListedMarket, trades: readonly MarketTrade[]): string {
  return `[${trades.map((trade) => tradeText(listed, trade)).join(',')}]`;
}

function tradeText(listed: ListedMarket, trade: MarketTrade): string {
  let text = tradeTexts.get(trade);
  if (text === undefined) {
    text = publicTradeJson(listed, trade);
    tradeTexts.set(trade, text);
  }
  return text;
}

/** Before the first trade there are no prices. */
export function tickerValue({ day, listed }: MarketState, timeMs: number): WireValue {
  const { ticker } = day;
  const body = tickerJsonBody(ticker && { listed, ticker });
  return { body, end: timestampEnd(timeMs) };
}

/** Price of an asset in the pricing currency, with the time of its last change. */
export function priceValue({ price }: AssetPrice, timeMs: number): WireValue {
  return {
    body: `{"price":${decimalOfRatio(price)}`,
    end: `,"lastUpdate":"${timeText(timeMs)}"}`,
  };
}

/** One value per resolution. */
export function candleValues({ candles, listed }: MarketState): [resolution: string, WireValue][] {
  return RESOLUTIONS.map((resolution, at) => {
    const texts = candles[at].last.map((candle) => candleJson(listed, candle));
    return [resolution, { body: `[${texts.join(',')}]`, end: '' }];
  });
}

/** Close of each hour in the ticker's window. The price is a string on this wire. */
export function minichartValue({ day, listed }: MarketState): WireValue {
  const points = day.hours.map(
    ({ closeTicks, startMs }) =>
      `{"time":"${timeText(startMs)}","price":"${priceText(listed, closeTicks)}"` +
      `,"symbol":"${listed.base.symbol}","quote":"${listed.quote.symbol}"}`,
  );
  return { body: `[${points.join(',')}]`, end: '' };
}

function timestampEnd(timeMs: number): string {
  return `,"timestamp":"${timeText(timeMs)}"}`;
}

function levelsJson(listed: ListedMarket, levels: readonly PriceLevel[]): string {
  const texts = levels.map(
    ({ priceTicks, totalLots }) =>
      `[${priceText(listed, priceTicks)},${volumeText(listed, totalLots)}]`,
  );
  return `[${texts.join(',')}]`;
}
