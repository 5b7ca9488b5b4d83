// The one writer of a trade and of a candle as everybody sees them, for answers and messages alike.

import {
  type Candle,
  type ListedMarket,
  type MarketTrade,
  priceText,
  sizeText,
  volumeText,
} from '../../core/market-data/index.ts';
import { timeText } from '../time-text.ts';

export type PublicTradeFacts = Pick<
  MarketTrade,
  'priceTicks' | 'sizeLots' | 'takerSide' | 'timeMs'
>;

export type CandleFacts = Omit<Candle, 'quoteVolumeAtoms' | 'tradeCount'>;

export function publicTradeJson(listed: ListedMarket, trade: PublicTradeFacts): string {
  return `{${publicTradeMembers(listed, trade)}}`;
}

/** In lists over several markets each says its own. */
export function publicTradeOfMarketJson(listed: ListedMarket, trade: PublicTradeFacts): string {
  return `{${publicTradeMembers(listed, trade)},"symbol":"${listed.symbol}"}`;
}

function publicTradeMembers(listed: ListedMarket, trade: PublicTradeFacts): string {
  const { priceTicks, sizeLots, takerSide, timeMs } = trade;
  return (
    `"size":${sizeText(listed, sizeLots)},"price":${priceText(listed, priceTicks)}` +
    `,"side":"${takerSide}","timestamp":"${timeText(timeMs)}"`
  );
}

export function candleJson(listed: ListedMarket, candle: CandleFacts): string {
  return (
    `{"time":"${timeText(candle.startMs)}","open":${priceText(listed, candle.openTicks)}` +
    `,"high":${priceText(listed, candle.highTicks)},"low":${priceText(listed, candle.lowTicks)}` +
    `,"close":${priceText(listed, candle.closeTicks)}` +
    `,"volume":${volumeText(listed, candle.volumeLots)},"symbol":"${listed.symbol}"}`
  );
}
