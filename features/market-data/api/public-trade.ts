// A public trade, without users. Schema, example and encoder are all in this file.

import type { Static } from 'typebox';
import {
  type ListedMarket,
  type MarketTrade,
  priceText,
  sizeText,
} from '../../../core/market-data/index.ts';
import { SIDES } from '../../../core/messages/index.ts';
import { Decimal, oneOf, sample, Timestamp, Type, timeText } from '../../../protocol/wire/index.ts';

const trade = {
  id: sample(
    Type.Integer({
      description: 'The trade number: it increases in trading order, with gaps.',
    }),
    184467,
  ),
  size: Decimal,
  price: Decimal,
  side: oneOf(SIDES, "The taker's side."),
  timestamp: Timestamp,
};

export const PublicTrade = Type.Object(trade, { title: 'PublicTrade' });
export type PublicTrade = Static<typeof PublicTrade>;

export const publicTradeExample = {
  id: 184467,
  size: 0.1,
  price: 51234.5,
  side: 'buy',
  timestamp: '2026-01-05T10:00:00.000Z',
};

/** Lists of several markets name the market of each trade. */
export const PublicTradeOfMarket = Type.Object(
  { ...trade, symbol: Type.String() },
  { title: 'PublicTradeOfMarket' },
);
export type PublicTradeOfMarket = Static<typeof PublicTradeOfMarket>;

export type PublicTradeFacts = Pick<
  MarketTrade,
  'priceTicks' | 'sizeLots' | 'takerSide' | 'timeMs' | 'trade'
>;

export function publicTradeJson(listed: ListedMarket, trade: PublicTradeFacts): string {
  return `{${publicTradeMembers(listed, trade)}}`;
}

/** For lists of several markets. */
export function publicTradeOfMarketJson(listed: ListedMarket, trade: PublicTradeFacts): string {
  return `{${publicTradeMembers(listed, trade)},"symbol":"${listed.symbol}"}`;
}

function publicTradeMembers(listed: ListedMarket, trade: PublicTradeFacts): string {
  const { priceTicks, sizeLots, takerSide, timeMs, trade: id } = trade;
  return (
    `"id":${id},"size":${sizeText(listed, sizeLots)},"price":${priceText(listed, priceTicks)}` +
    `,"side":"${takerSide}","timestamp":"${timeText(timeMs)}"`
  );
}
