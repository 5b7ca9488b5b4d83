// A user's traded volume: by month and pair, and by coin within a range. Closes past days first.

import { DAY_MS } from '../../../core/market-data/index.ts';
import {
  type Atoms,
  decimalFromAtoms,
  decimalFromLots,
  type Lots,
  type UserId,
} from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import {
  type Call,
  type Dependencies,
  momentFilter,
  requireFresh,
} from '../../../platform/http/index.ts';
import {
  decimal,
  type Routes,
  type TradedVolume,
  type TradingVolume,
  timeText,
  type UserStats,
} from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { AssetEntry, MarketEntry } from '../../listings/index.ts';
import { closingPrices } from '../../market-data/index.ts';
import { closeDays } from '../closed-days.ts';
import { totalValue } from '../total-value.ts';
import { readMonths, readTraded, type Traded } from '../traded-volume.ts';
import { priceOf, statisticsCurrency } from './daily-prices.ts';

export async function getUserStats(
  { caller: { user } }: Call<Routes['getUserStats']>,
  dependencies: Dependencies,
): Promise<UserStats | Refused<'tables_behind'>> {
  const closedToMs = await closedDays(dependencies, user);
  if (closedToMs instanceof Refused) return closedToMs;
  const { clock, exchange, registry } = dependencies;
  const { projectionSchema } = exchange;
  const traded = await readMonths(registry, { user, projectionSchema, closedToMs });
  const data: UserStats['data'] = {};
  for (const [name, rows] of Map.groupBy(traded, ({ market, month }) => `${month} ${market}`)) {
    const [year, month] = name.split(' ')[0].split('-');
    const market = dependencies.catalogue.now.marketsById.get(rows[0].market)!;
    data[year] ??= {};
    data[year][Number(month)] ??= {};
    data[year][Number(month)][market.symbol] = volumeOf(rows, market);
  }
  return { user_id: user, data, updated_at: timeText(clock.nowMs()) };
}

function volumeOf(rows: readonly Traded[], market: MarketEntry): TradedVolume {
  const lots = (side?: Traded['side']) =>
    rows.reduce((sum, row) => (row.side === (side ?? row.side) ? sum + row.sizeLots : sum), 0n);
  const size = (count: bigint) => decimal(decimalOfLots(count, market));
  const quoteAtoms = rows.reduce((sum, row) => sum + row.quoteAtoms, 0n);
  return {
    volume: size(lots()),
    buy_volume: size(lots('buy')),
    sell_volume: size(lots('sell')),
    quote_volume: decimal(decimalFromAtoms(quoteAtoms as Atoms, market.quote.scale)),
    trades: rows.reduce((sum, { trades }) => sum + trades, 0),
  };
}

function decimalOfLots(count: bigint, { base, lot }: MarketEntry): string {
  return count <= BigInt(Number.MAX_SAFE_INTEGER)
    ? decimalFromLots(Number(count) as Lots, lot)
    : decimalFromAtoms((count * lot.atoms) as Atoms, base.scale);
}

const RANGE_MS = 30 * DAY_MS;

export function getTradingVolume(
  { caller: { user }, query }: Call<Routes['getTradingVolume']>,
  dependencies: Dependencies,
): Promise<TradingVolume | Refused<'tables_behind'>> {
  return readTradingVolume(dependencies, user, query);
}

/** Also used by operators, who name the user. */
export async function readTradingVolume(
  dependencies: Dependencies,
  user: UserId,
  query: Call<Routes['getTradingVolume']>['query'],
): Promise<TradingVolume | Refused<'tables_behind'>> {
  const closedToMs = await closedDays(dependencies, user);
  if (closedToMs instanceof Refused) return closedToMs;
  const { clock, exchange, registry } = dependencies;
  const { projectionSchema } = exchange;
  const toMs = momentFilter(query.to)?.getTime() ?? clock.nowMs();
  const fromMs = momentFilter(query.from)?.getTime() ?? toMs - RANGE_MS;
  const range = { user, projectionSchema, closedToMs, fromMs: Math.max(0, fromMs), toMs };
  const traded = await readTraded(registry, range);
  const { currency, scale } = statisticsCurrency(dependencies);
  const at = new Date(clock.nowMs());
  const prices = await closingPrices(registry, { quote: currency, projectionSchema, at });
  const { marketsById } = dependencies.catalogue.now;
  const inCurrency = (atoms: bigint) => decimal(decimalFromAtoms(atoms as Atoms, scale));
  const coins = [...Map.groupBy(traded, ({ market }) => marketsById.get(market)!.base)].map(
    ([asset, rows]) => {
      const atoms = rows.reduce(
        (sum, row) => sum + row.sizeLots * marketsById.get(row.market)!.lot.atoms,
        0n,
      );
      const trades = rows.reduce((sum, row) => sum + row.trades, 0);
      const price = priceOf(prices, asset, currency);
      const valued = price === undefined ? [] : [{ atoms, scale: asset.scale, price }];
      return { asset, atoms, trades, valued };
    },
  );
  return {
    user_id: user,
    from: timeText(range.fromMs),
    to: timeText(toMs),
    currency,
    volume: inCurrency(
      totalValue(
        coins.flatMap(({ valued }) => valued),
        scale,
      ),
    ),
    data: Object.fromEntries(coins.map((coin) => [coin.asset.symbol, coinVolume(coin)])),
  };

  function coinVolume({ asset, atoms, trades, valued }: (typeof coins)[number]) {
    return {
      volume: decimal(decimalFromAtoms(atoms as Atoms, (asset as AssetEntry).scale)),
      native_currency_value: valued.length === 0 ? null : inCurrency(totalValue(valued, scale)),
      trades,
    };
  }
}

/** Closes the user's past days. Returns the first time that is not closed, in milliseconds. */
export async function closedDays(
  dependencies: Dependencies,
  user: UserId,
): Promise<number | Refused<'tables_behind'>> {
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const { clock, exchange, registry } = dependencies;
  const { projectionSchema } = exchange;
  return withConnection(registry, (session) =>
    closeDays(session, { user, projectionSchema, nowMs: clock.nowMs() }),
  );
}
