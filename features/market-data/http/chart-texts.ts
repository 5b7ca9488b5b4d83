// Candles as JSON: one object each, or in columns for charting libraries.

import { priceText, volumeText } from '../../../core/market-data/index.ts';
import { candleJson } from '../../../protocol/index.ts';
import type { MarketEntry } from '../../listings/index.ts';
import type { ChartCandle } from '../candles/chart-candle.ts';

// A candle in memory is requested many times and rarely changes.
const texts = new WeakMap<ChartCandle, string>();

export function chartText(market: MarketEntry, candles: readonly ChartCandle[]): string {
  return `[${candles.map((candle) => textOf(market, candle)).join(',')}]`;
}

function textOf(market: MarketEntry, candle: ChartCandle): string {
  let text = texts.get(candle);
  if (text === undefined) {
    text = candleJson(market, candle);
    texts.set(candle, text);
  }
  return text;
}

export function columnsText(market: MarketEntry, candles: readonly ChartCandle[]): string {
  const column = (of: (candle: ChartCandle) => string | number) => `[${candles.map(of).join(',')}]`;
  return (
    `{"s":"ok","t":${column(({ startMs }) => startMs / 1_000)}` +
    `,"o":${column(({ openTicks }) => priceText(market, openTicks))}` +
    `,"h":${column(({ highTicks }) => priceText(market, highTicks))}` +
    `,"l":${column(({ lowTicks }) => priceText(market, lowTicks))}` +
    `,"c":${column(({ closeTicks }) => priceText(market, closeTicks))}` +
    `,"v":${column(({ volumeLots }) => volumeText(market, volumeLots))}}`
  );
}

/** Includes the time of the last earlier candle, so a library can continue from there. */
export function noColumnsText(before: ChartCandle | undefined): string {
  const next = before === undefined ? '' : `,"nextTime":${before.startMs / 1_000}`;
  return `{"s":"no_data","t":[],"o":[],"h":[],"l":[],"c":[],"v":[]${next}}`;
}
