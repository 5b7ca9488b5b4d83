// Descriptions of the chart feed and of a market, for charting libraries. Pure.

import {
  UDF_RESOLUTIONS,
  type UdfConfig,
  type UdfSearchResult,
  type UdfSymbol,
} from '../../../protocol/index.ts';
import type { MarketEntry } from '../../listings/index.ts';

export const UDF_CONFIG: UdfConfig = {
  supported_resolutions: [...UDF_RESOLUTIONS],
  supports_group_request: false,
  supports_marks: false,
  supports_search: true,
  supports_timescale_marks: false,
  supports_time: true,
};

const ALWAYS = '24x7';

export function udfSymbolOf(market: MarketEntry, exchange: string): UdfSymbol {
  const { minmov, pricescale } = priceSteps(market.tick);
  return {
    name: market.symbol,
    ticker: market.symbol,
    description: market.symbol.toUpperCase().replace('-', '/'),
    type: 'crypto',
    exchange,
    listed_exchange: exchange,
    timezone: 'Etc/UTC',
    session: ALWAYS,
    regular_session: ALWAYS,
    minmov,
    pricescale,
    volume_precision: volumeDigits(market.lot),
    has_intraday: true,
    has_daily: true,
    has_weekly_and_monthly: true,
    // A period without trades has no candle; the library draws it.
    has_empty_bars: true,
    supported_resolutions: [...UDF_RESOLUTIONS],
  };
}

/** A price moves by minmov / pricescale. */
export function priceSteps({ mantissa, scale }: MarketEntry['tick']): {
  readonly minmov: number;
  readonly pricescale: number;
} {
  let [minmov, digits] = [mantissa, scale];
  for (; digits > 0 && minmov % 10 === 0; digits -= 1) minmov /= 10;
  return { minmov, pricescale: 10 ** digits };
}

/** Number of decimals of a size. */
export function volumeDigits({ atoms, scale }: MarketEntry['lot']): number {
  let [rest, digits] = [atoms as bigint, scale];
  for (; digits > 0 && rest % 10n === 0n; digits -= 1) rest /= 10n;
  return digits;
}

export function udfSearch(
  markets: Iterable<MarketEntry>,
  asked: { readonly text: string; readonly limit: number; readonly exchange: string },
): UdfSearchResult[] {
  const wanted = plain(asked.text);
  const found: UdfSearchResult[] = [];
  for (const { symbol } of markets) {
    if (found.length >= asked.limit) break;
    if (!plain(symbol).includes(wanted)) continue;
    found.push({
      symbol,
      full_name: symbol,
      description: symbol.toUpperCase().replace('-', '/'),
      exchange: asked.exchange,
      ticker: symbol,
      type: 'crypto',
    });
  }
  return found;
}

/** A search finds `BTC/USDT`, `btc-usdt` and `btcusdt` alike. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}
