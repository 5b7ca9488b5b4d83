// Handlers for a user's statistics, and the profit and loss over full days up to the last closed
// day.

import { DAY_MS } from '../../../core/market-data/index.ts';
import { type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import type { Call, Dependencies, HandlersOf } from '../../../platform/http/index.ts';
import {
  decimal,
  type ProfitAndLoss,
  type ProfitOfPeriod,
  type Routes,
  type WireDecimal,
} from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { Prices } from '../../market-data/index.ts';
import { readAssetDays, readBalanceDays } from '../balance-history.ts';
import { type ProfitLossOfAsset, profitLoss } from '../profit-loss.ts';
import { getBalanceHistory } from './balance-history.ts';
import { priceOf, pricesOfDay, statisticsCurrency } from './daily-prices.ts';
import { closedDays, getTradingVolume, getUserStats } from './traded-volume.ts';

export const statisticsRoutes: HandlersOf<'statistics'> = {
  getUserStats,
  getTradingVolume,
  getBalanceHistory,
  getProfitAndLoss,
};

const PERIODS = [7, 30, 90];

export async function getProfitAndLoss(
  { caller, query }: Call<Routes['getProfitAndLoss']>,
  dependencies: Dependencies,
): Promise<ProfitAndLoss | Refused<'tables_behind'>> {
  const closedToMs = await closedDays(dependencies, caller.user);
  if (closedToMs instanceof Refused) return closedToMs;
  const periods = query.period === undefined ? PERIODS : [Number(query.period)];
  const answer: ProfitAndLoss = {};
  for (const days of periods) answer[`${days}d`] = await ofPeriod(days, closedToMs - DAY_MS);
  return answer;

  async function ofPeriod(count: number, lastMs: number): Promise<ProfitOfPeriod> {
    const { registry } = dependencies;
    const { currency, scale } = statisticsCurrency(dependencies);
    const { assetsById } = dependencies.catalogue.now;
    const beforeMs = lastMs - count * DAY_MS;
    const one = { order: 'asc', limit: 1, offset: 0 } as const;
    const range = { fromMs: beforeMs, toMs: beforeMs };
    const [opening] = await readBalanceDays(registry, caller.user, { ...range, ...one });
    const days = await readAssetDays(registry, caller.user, {
      fromMs: beforeMs + DAY_MS,
      toMs: lastMs,
    });
    const prices = new Map<number, Prices>();
    for (const dayMs of new Set([beforeMs, lastMs, ...days.map((day) => day.dayMs)])) {
      prices.set(dayMs, await pricesOfDay(dependencies, dayMs));
    }
    const { assets, total } = profitLoss({
      opening: opening?.atoms ?? new Map(),
      days,
      beforeMs,
      lastMs,
      scale,
      scaleOf: (asset) => assetsById.get(asset)!.scale,
      priceOf: (asset, dayMs) => priceOf(prices.get(dayMs)!, assetsById.get(asset)!, currency),
    });
    const coins = [...assets].map(([asset, result]) => [
      assetsById.get(asset)!.symbol,
      { cumulativePNL: amount(result, scale), cumulativePNLPercentage: percentage(result) },
    ]);
    return {
      ...Object.fromEntries(coins),
      total: amount(total, scale),
      totalPercentage: percentage(total),
      currency,
    };
  }
}

function amount({ atoms }: ProfitLossOfAsset, scale: number): WireDecimal {
  return signed(atoms, scale);
}

const PERCENTAGE_DIGITS = 2;

/** Percentage of the invested value; 0 if nothing was invested. */
function percentage({ atoms, investedAtoms }: ProfitLossOfAsset): WireDecimal {
  if (investedAtoms === 0n) return decimal('0');
  return signed((atoms * 10n ** BigInt(2 + PERCENTAGE_DIGITS)) / investedAtoms, PERCENTAGE_DIGITS);
}

function signed(value: bigint, scale: number): WireDecimal {
  const text = decimalFromAtoms((value < 0n ? -value : value) as Atoms, scale);
  return decimal(value < 0n ? `-${text}` : text);
}
