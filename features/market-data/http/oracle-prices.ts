// The value of an amount of each asset in another asset, by last prices; -1 if no conversion path
// exists.

import {
  decimalOfRatio,
  priceAlong,
  product,
  type Ratio,
  ratioFromDecimal,
} from '../../../core/market-data/index.ts';
import { ApiRefusal, type Call, type Dependencies } from '../../../platform/http/index.ts';
import { decimal, type OraclePrices, type Routes } from '../../../protocol/index.ts';
import { lastPrice, requireAssets, routeBetween } from './market-prices.ts';

const NO_PRICE = '-1';

export function getOraclePrices(
  { query }: Call<Routes['getOraclePrices']>,
  dependencies: Dependencies,
): OraclePrices {
  const { assets, quote } = requireAssets(dependencies.catalogue.now, query);
  const amount = requireAmount(query.amount ?? 1);
  const prices = assets.map((asset) => {
    const route = routeBetween(dependencies, { asset, quote });
    const price = route && priceAlong(route, ({ symbol }) => lastPrice(dependencies, symbol));
    const text = price === undefined ? NO_PRICE : decimalOfRatio(product(amount, price));
    return [asset, decimal(text)];
  });
  return Object.fromEntries(prices);
}

function requireAmount(given: number | string): Ratio {
  const text = `${given}`;
  const amount = ratioFromDecimal(text.replace(/^-/, ''));
  if (amount === undefined) throw new ApiRefusal('value_not_a_number', { name: 'amount' });
  if (amount.over === 0n || text.startsWith('-')) {
    throw new ApiRefusal('quote_amount_must_be_positive');
  }
  return amount;
}
