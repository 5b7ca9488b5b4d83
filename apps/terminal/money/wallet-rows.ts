// The coins of a user: available, held and their worth.

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
  /** By open orders and withdrawals. */
  readonly held: string;
  /** In the chosen currency; undefined without a price. */
  readonly value: string | undefined;
  readonly allowsDeposit: boolean;
  readonly allowsWithdrawal: boolean;
}

/** The most valuable first; empty ones by name. */
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
  /** Held coins that have no price and are not in the value. */
  readonly unpriced: readonly string[];
}

export function totalOf(rows: readonly WalletRow[]): WalletTotal {
  const unpriced = rows.filter(({ value }) => value === undefined).map(({ coin }) => coin);
  return { value: sum(rows.map(({ value }) => value ?? '0')), unpriced };
}

/** A coin is small if its value is below a ten-thousandth of the whole, or if it is empty. */
export function isSmall(row: WalletRow, total: string): boolean {
  if (isZero(row.total)) return true;
  if (row.value === undefined) return false;
  return compare(multiply(row.value, '10000'), total) < 0;
}

/** The share of the whole as a ratio. */
export function shareOf(value: string | undefined, total: string): number {
  if (value === undefined || isZero(total)) return 0;
  const [part, whole] = [value, total].map((text) => BigInt(withScale(text, 12).replace('.', '')));
  return whole === 0n ? 0 : Number((part * 10_000n) / whole) / 10_000;
}
