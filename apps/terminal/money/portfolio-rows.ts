// Rows of the portfolio: daily totals, holdings, and profit by asset.

import type { BalanceOfDay } from '../../../client/index.ts';
import { changeRatio, compare, divide, isPositive, isZero } from '../../decimals/index.ts';
import { shareOf, totalOf, type WalletRow } from './wallet-rows.ts';

export interface Values {
  /** Oldest first; the last one is the value now. */
  readonly totals: readonly string[];
  readonly high: string;
  readonly low: string;
  /** Change from the first day until now; undefined if the first total is zero. */
  readonly ratio: string | undefined;
}

type Day = Pick<BalanceOfDay, 'total'>;

/** Expects the newest day first. Uses the last `count` days, and the value now. */
export function valuesOf(days: readonly Day[], count: number, now: string): Values {
  const totals = [...days.slice(0, count).map(({ total }) => total)].toReversed();
  totals.push(now);
  const sorted = totals.toSorted(compare);
  const [first] = totals;
  return {
    totals,
    high: sorted[sorted.length - 1],
    low: sorted[0],
    ratio: isZero(first) ? undefined : changeRatio(first, now),
  };
}

export interface Holding {
  readonly coin: string;
  readonly value: string;
  /** From 0 to 1. */
  readonly share: number;
}

/** In the order of the wallet. Ignores coins without a price or a balance. */
export function holdingsOf(rows: readonly WalletRow[]): readonly Holding[] {
  const { value: total } = totalOf(rows);
  return rows.flatMap(({ coin, value }) =>
    value !== undefined && isPositive(value) ? [{ coin, value, share: shareOf(value, total) }] : [],
  );
}

/** One period of the exchange's answer: the total, and an entry for each asset. */
export interface ProfitOfPeriod {
  readonly total: string;
  readonly totalPercentage: string;
  readonly currency: string;
  readonly [coin: string]: string | ProfitOfCoin;
}

interface ProfitOfCoin {
  readonly cumulativePNL: string;
  readonly cumulativePNLPercentage: string;
}

export interface ProfitRow {
  readonly name: string;
  readonly isTotal: boolean;
  readonly profit: string;
  readonly ratio: string;
  readonly currency: string;
}

/** The total first, then the assets by profit. */
export function profitRows(ofPeriod: ProfitOfPeriod, totalName: string): ProfitRow[] {
  const { currency, total, totalPercentage, ...coins } = ofPeriod;
  const rows = Object.entries(coins).flatMap(([name, coin]) =>
    typeof coin === 'object'
      ? [
          {
            name,
            isTotal: false,
            profit: coin.cumulativePNL,
            ratio: ratioOf(coin.cumulativePNLPercentage),
            currency,
          },
        ]
      : [],
  );
  const sorted = rows.toSorted((a, b) => compare(b.profit, a.profit));
  const all = { name: totalName, isTotal: true, profit: total, currency };
  return [{ ...all, ratio: ratioOf(totalPercentage) }, ...sorted];
}

function ratioOf(percentage: string): string {
  return divide(percentage, '100', { scale: 6, rounding: 'down' });
}
