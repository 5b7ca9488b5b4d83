// A user's assets: available, on hold, and their value.

import type { Balance, Coin } from '../../../client/index.ts';
import {
  compare,
  isZero,
  multiply,
  scaleOf,
  subtract,
  sum,
  withScale,
} from '../../decimals/index.ts';
import { isPrice, type Prices } from './market-rows.ts';

export interface WalletRow {
  readonly coin: string;
  readonly name: string;
  readonly isFiat: boolean;
  readonly scale: number;
  readonly total: string;
  readonly available: string;
  /** Held by open orders and withdrawals. */
  readonly held: string;
  /** Value in the chosen currency; undefined without a price. */
  readonly value: string | undefined;
  readonly allowsDeposit: boolean;
  readonly allowsWithdrawal: boolean;
}

/** Most valuable first, then empty ones by name. */
export function walletRows(
  coins: Readonly<Record<string, Coin>>,
  balance: Balance,
  prices: Prices,
): WalletRow[] {
  const rows = Object.values(coins)
    .filter(({ active }) => active)
    .map((coin): WalletRow => {
      const { symbol } = coin;
      const total = balance[`${symbol}_balance`] ?? '0';
      const available = balance[`${symbol}_available`] ?? '0';
      const price = prices[symbol];
      return {
        coin: symbol,
        name: coin.fullname,
        isFiat: coin.type === 'fiat',
        scale: scaleOf(coin.increment_unit),
        total,
        available,
        held: subtract(total, available),
        value: isPrice(price) ? multiply(total, price) : isZero(total) ? '0' : undefined,
        allowsDeposit: coin.allow_deposit,
        allowsWithdrawal: coin.allow_withdrawal,
      };
    });
  return rows.toSorted(
    (a, b) => compare(b.value ?? '0', a.value ?? '0') || a.coin.localeCompare(b.coin, 'en'),
  );
}

export interface WalletTotal {
  readonly value: string;
  /** Owned assets without a price, which are not included in the value. */
  readonly unpriced: readonly string[];
}

export function totalOf(rows: readonly WalletRow[]): WalletTotal {
  const unpriced = rows.filter(({ value }) => value === undefined).map(({ coin }) => coin);
  return { value: sum(rows.map(({ value }) => value ?? '0')), unpriced };
}

/** An asset is small if it is empty or its value is below 0.01% of the total. */
export function isSmall(row: WalletRow, total: string): boolean {
  if (isZero(row.total)) return true;
  if (row.value === undefined) return false;
  return compare(multiply(row.value, '10000'), total) < 0;
}

/** Returns the share of the total as a ratio. */
export function shareOf(value: string | undefined, total: string): number {
  if (value === undefined || isZero(total)) return 0;
  const [part, whole] = [value, total].map((text) => BigInt(withScale(text, 12).replace('.', '')));
  return whole === 0n ? 0 : Number((part * 10_000n) / whole) / 10_000;
}
