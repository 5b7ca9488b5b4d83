// A candle of a chart. Public. Schema, example and encoder are all in this file.

import type { Static } from 'typebox';
import {
  type ListedMarket,
  type Candle as MarketCandle,
  priceText,
  volumeText,
} from '../../../core/market-data/index.ts';
import { Decimal, Timestamp, Type, timeText } from '../../../protocol/wire/index.ts';

export const Candle = Type.Object(
  {
    time: Timestamp,
    open: Decimal,
    high: Decimal,
    low: Decimal,
    close: Decimal,
    volume: Decimal,
    symbol: Type.String(),
  },
  { title: 'Candle' },
);
export type Candle = Static<typeof Candle>;

export const candleExample = {
  time: '2026-01-05T08:00:00.000Z',
  open: 51000,
  high: 51300,
  low: 50990.5,
  close: 51200,
  volume: 12.5,
  symbol: 'btc-usdt',
};

export type CandleFacts = Omit<MarketCandle, 'quoteVolumeAtoms' | 'tradeCount'>;

export function candleJson(listed: ListedMarket, candle: CandleFacts): string {
  return (
    `{"time":"${timeText(candle.startMs)}","open":${priceText(listed, candle.openTicks)}` +
    `,"high":${priceText(listed, candle.highTicks)},"low":${priceText(listed, candle.lowTicks)}` +
    `,"close":${priceText(listed, candle.closeTicks)}` +
    `,"volume":${volumeText(listed, candle.volumeLots)},"symbol":"${listed.symbol}"}`
  );
}
