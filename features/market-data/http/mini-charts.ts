// A few prices per asset over time, for small charts: the last day from memory, other times from
// candles. Empty if no path of markets leads to the quote.

import {
  DAY_MS,
  decimalOfRatio,
  HOUR_MS,
  ONE,
  type Ratio,
  RESOLUTION_MS,
  type Resolution,
  ratioFromDecimal,
} from '../../../core/market-data/index.ts';
import { decimalFromTicks } from '../../../core/money/index.ts';
import type { Call, Dependencies } from '../../../platform/http/index.ts';
import { type MiniChartPoint, type Routes, timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { MarketEntry } from '../../listings/index.ts';
import { parseWithDigits } from '../candles/chart-candle.ts';
import { lastPrice, requireAssets, routeBetween } from './market-prices.ts';
import { type PricePoint, pointsAlong } from './price-points.ts';
import { timeMsOf } from './read-charts.ts';

/** Maximum points per asset and response. */
const POINTS_MAX = 200;
// The shortest resolution with few enough points; above the last, the newest points are shown.
const RESOLUTIONS: readonly Resolution[] = ['1h', '4h', '1d', '1w'];

type Query = Call<Routes['getMiniCharts']>['query'];

interface Window {
  readonly fromMs: number;
  readonly toMs: number;
  readonly pointsOf: (market: MarketEntry) => readonly PricePoint[];
}

export async function getMiniCharts(
  { query }: Call<Routes['getMiniCharts']>,
  dependencies: Dependencies,
): Promise<Record<string, MiniChartPoint[]> | Refused<'asset_invalid'>> {
  const asked = requireAssets(dependencies.catalogue.now, query);
  if (asked instanceof Refused) return asked;
  const { assets, quote } = asked;
  const routes = assets.map((asset) => ({
    asset,
    route: routeBetween(dependencies, { asset, quote }),
  }));
  const legs = routes.flatMap(({ route = [] }) => route.map(({ market }) => market));
  const window = await openWindow(dependencies, query, [...new Set(legs)]);
  const charts = routes.map(({ asset, route }) => {
    const isItself = asset === quote;
    const points = isItself ? ends(window) : route && pointsAlong(route, window.pointsOf);
    return [asset, (points ?? []).map((point) => wirePoint(point, asset, quote))];
  });
  return Object.fromEntries(charts);
}

/** Without times, uses the last 24 hours from the feed. */
async function openWindow(
  dependencies: Dependencies,
  { from, to }: Query,
  markets: readonly MarketEntry[],
): Promise<Window> {
  const nowMs = dependencies.clock.nowMs();
  const toMs = to === undefined ? nowMs : timeMsOf(to);
  const fromMs = from === undefined ? toMs - DAY_MS : timeMsOf(from);
  if (from === undefined && to === undefined) {
    return { fromMs, toMs, pointsOf: (market) => pointsOfDay(dependencies, market, fromMs) };
  }
  const resolution =
    RESOLUTIONS.find((one) => (toMs - fromMs) / RESOLUTION_MS[one] < POINTS_MAX) ?? '1w';
  const range = { fromMs, toMs, limit: POINTS_MAX, keep: 'last' } as const;
  const found = await dependencies.candles.read(markets, resolution, range);
  return { fromMs, toMs, pointsOf };

  function pointsOf(market: MarketEntry): PricePoint[] {
    const candles = found.get(market) ?? [];
    return candles.flatMap(({ closeTicks, startMs }) =>
      pointOf(startMs, decimalFromTicks(closeTicks, market.tick)),
    );
  }
}

/** A day without trades has the last earlier price. */
function pointsOfDay(
  dependencies: Dependencies,
  { symbol }: MarketEntry,
  fromMs: number,
): PricePoint[] {
  const text = dependencies.feed.get('minichart', symbol)?.text ?? '[]';
  const said = parseWithDigits(text) as { readonly time: string; readonly price: string }[];
  const points = said.flatMap(({ price, time }) => pointOf(Date.parse(time), price));
  const last = lastPrice(dependencies, symbol);
  if (points.length > 0 || last === undefined) return points;
  return [{ timeMs: Math.floor(fromMs / HOUR_MS) * HOUR_MS, price: last }];
}

function pointOf(timeMs: number, text: string): PricePoint[] {
  const price = ratioFromDecimal(text);
  return price === undefined ? [] : [{ timeMs, price }];
}

/** An asset in itself is a constant. */
function ends({ fromMs, toMs }: Window): PricePoint[] {
  const price: Ratio = ONE;
  return [
    { timeMs: fromMs, price },
    { timeMs: toMs, price },
  ];
}

function wirePoint({ price, timeMs }: PricePoint, symbol: string, quote: string): MiniChartPoint {
  return { time: timeText(timeMs), price: decimalOfRatio(price), symbol, quote };
}
