// Value of an amount of each asset in another asset, by last prices; -1 if no conversion path
// exists.

import {
  decimalOfRatio,
  priceAlong,
  product,
  type Ratio,
  ratioFromDecimal,
} from '../../../core/market-data/index.ts';
import type { Call, Dependencies } from '../../../platform/http/index.ts';
import { decimal, type ErrorKey, type OraclePrices, type Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { lastPrice, requireAssets, routeBetween } from './market-prices.ts';

const NO_PRICE = '-1';

export function getOraclePrices(
  { query }: Call<Routes['getOraclePrices']>,
  dependencies: Dependencies,
): OraclePrices | Refused<ErrorKey> {
  const asked = requireAssets(dependencies.catalogue.now, query);
  if (asked instanceof Refused) return asked;
  const { assets, quote } = asked;
  const amount = requireAmount(query.amount ?? 1);
  if (amount instanceof Refused) return amount;
  const prices = assets.map((asset) => {
    const route = routeBetween(dependencies, { asset, quote });
    const price = route && priceAlong(route, ({ symbol }) => lastPrice(dependencies, symbol));
    const text = price === undefined ? NO_PRICE : decimalOfRatio(product(amount, price));
    return [asset, decimal(text)];
  });
  return Object.fromEntries(prices);
}

function requireAmount(
  given: number | string,
): Ratio | Refused<'quote_amount_must_be_positive' | 'value_not_a_number'> {
  const text = `${given}`;
  const amount = ratioFromDecimal(text.replace(/^-/, ''));
  if (amount === undefined) return new Refused('value_not_a_number', { name: 'amount' });
  if (amount.over === 0n || text.startsWith('-')) {
    return new Refused('quote_amount_must_be_positive');
  }
  return amount;
}
