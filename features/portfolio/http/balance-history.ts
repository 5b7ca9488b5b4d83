// A user's balances at the end of each day, with their value: a page, all days, or a file.

import { DAY_MS } from '../../../core/market-data/index.ts';
import { type Atoms, decimalFromAtoms, type UserId } from '../../../core/money/index.ts';
import {
  type Call,
  csvCells,
  csvLine,
  csvNames,
  type Dependencies,
  momentFilter,
  StreamedAnswer,
} from '../../../platform/http/index.ts';
import {
  type BalanceOfDay,
  decimal,
  type Routes,
  timeText,
  WEIGHT_FILE,
  WEIGHT_HEAVY,
} from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type BalanceDay, countBalanceDays, readBalanceDays } from '../balance-history.ts';
import { totalValue } from '../total-value.ts';
import { priceOf, pricesOfDay, statisticsCurrency } from './daily-prices.ts';
import { closedDays } from './traded-volume.ts';

/** Maximum for a file or a complete list: ten years. */
const DAYS_MAX = 3_660;

export function getBalanceHistory(
  call: Call<Routes['getBalanceHistory']>,
  dependencies: Dependencies,
) {
  return answerBalanceHistory(call, dependencies, call.caller.user);
}

/** Also used by operators, who name the user. */
export async function answerBalanceHistory(
  {
    charge,
    columns = [],
    query,
  }: Pick<Call<Routes['getBalanceHistory']>, 'charge' | 'columns' | 'query'>,
  dependencies: Dependencies,
  user: UserId,
) {
  const { format, limit, order = 'desc', order_by, page } = query;
  if (order_by !== undefined && order_by !== 'created_at') {
    return new Refused('order_by_unknown', { name: order_by });
  }
  const limited = format === undefined ? undefined : charge(WEIGHT_FILE - WEIGHT_HEAVY);
  if (limited !== undefined) return limited;
  const closedToMs = await closedDays(dependencies, user);
  if (closedToMs instanceof Refused) return closedToMs;
  const { registry } = dependencies;
  const range = {
    fromMs: momentFilter(query.start_date)?.getTime(),
    toMs: momentFilter(query.end_date)?.getTime(),
  };
  const window =
    format === undefined ? { limit, offset: (page - 1) * limit } : { limit: DAYS_MAX, offset: 0 };
  const [count, days] = [
    await countBalanceDays(registry, user, range),
    await readBalanceDays(registry, user, { ...range, ...window, order }),
  ];
  const data: BalanceOfDay[] = [];
  for (const day of days) data.push(await balanceOfDay(day));
  if (format !== 'csv') return { count, data };
  return asFile(data, { columns, fileName: `${dependencies.exchange.name}-balance-history` });

  async function balanceOfDay({ atoms, dayMs }: BalanceDay): Promise<BalanceOfDay> {
    const { currency, scale } = statisticsCurrency(dependencies);
    const prices = await pricesOfDay(dependencies, dayMs);
    const { assetsById } = dependencies.catalogue.now;
    const held = [...atoms].map(([id, amount]) => {
      const asset = assetsById.get(id)!;
      const price = priceOf(prices, asset, currency);
      return { asset, amount, price };
    });
    const priced = held.flatMap(({ amount, asset, price }) =>
      price === undefined ? [] : [{ atoms: amount, scale: asset.scale, price }],
    );
    const inCurrency = (value: bigint) => decimal(decimalFromAtoms(value as Atoms, scale));
    return {
      user_id: user,
      total: inCurrency(totalValue(priced, scale)),
      currency,
      balance: Object.fromEntries(
        held.map(({ amount, asset, price }) => [
          asset.symbol,
          {
            original_value: decimal(decimalFromAtoms(amount as Atoms, asset.scale)),
            native_currency_value:
              price === undefined
                ? null
                : inCurrency(totalValue([{ atoms: amount, scale: asset.scale, price }], scale)),
          },
        ]),
      ),
      created_at: timeText(dayMs + DAY_MS),
    };
  }
}

function asFile(
  data: readonly BalanceOfDay[],
  { columns, fileName }: { readonly columns: readonly string[]; readonly fileName: string },
): StreamedAnswer {
  const rows = data.map((row) => JSON.stringify(row));
  const names = rows.length === 0 ? columns : csvNames(rows[0]);
  const lines = [csvLine(names), ...rows.map((row) => csvLine(csvCells(row, names)))];
  const type = 'text/csv; charset=utf-8';
  return new StreamedAnswer({
    status: 202,
    type,
    fileName: `${fileName}.csv`,
    chunks: (async function* chunks() {
      yield* lines;
    })(),
    rowsRead: () => data.length,
  });
}
