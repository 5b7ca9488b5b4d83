// The console's wizard and the exchange agree on the increments and limits of a new market.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CheckName,
  checkPair,
  type PairDraft,
} from '../../apps/console/markets/listing-checks.ts';
import { CATALOG, marketOf } from '../../apps/console/setup/catalog.ts';
import { marketTerms } from '../../features/listings/admin/market-terms.ts';

const KNOWN = [
  { symbol: 'btc', decimals: 8 },
  { symbol: 'usdt', decimals: 6 },
];

const PAIR: PairDraft = {
  base: 'btc',
  quote: 'usdt',
  incrementSize: '',
  incrementPrice: '',
  minSize: '1',
  maxSize: '',
  minPrice: '',
  maxPrice: '1000000',
  estimatedPrice: '60000',
  band: '10',
  slippage: '5',
  makerFee: '0.1',
  takerFee: '0.2',
};

test('the increment and atom checks agree with the engine rules', () => {
  const sizes = ['1', '0.01', '0.0001', '0.00000001'];
  const prices = ['100', '1', '0.01', '0.0001'];
  const largest = ['100', '1000000', '100000000000'];
  const rules: CheckName[] = ['wholeAtoms', 'twoAtoms', 'fits'];
  for (const [increment_size, increment_price, min_price, max_size] of product(
    sizes,
    prices,
    prices,
    largest,
  )) {
    const draft = {
      ...PAIR,
      incrementSize: increment_size,
      incrementPrice: increment_price,
      minPrice: min_price,
      maxSize: max_size,
    };
    const max_price = PAIR.maxPrice;
    const decimals = { increment_size, increment_price, min_price, max_price, max_size };
    const result = marketTerms(decimals, { base: 8, quote: 6 });
    // A price that is not a multiple of its increment is rejected before the atom rules apply.
    if (!result.ok && 'field' in result) continue;
    const isOk = checkPair(draft, KNOWN, []).every(
      (line) => line.isOk || !rules.includes(line.check),
    );
    assert.equal(isOk, result.ok, JSON.stringify({ decimals, result }, showBigint));
  }
});

function product(...lists: string[][]): string[][] {
  return lists.reduce<string[][]>(
    (all, list) => all.flatMap((one) => list.map((value) => [...one, value])),
    [[]],
  );
}

function showBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

test('the exchange accepts the terms of every market that setup suggests', () => {
  const assets = CATALOG.map(({ decimals, symbol }) => ({ symbol, decimals: Number(decimals) }));
  const quote = assets.find(({ symbol }) => symbol === 'usdt')!;
  for (const base of assets.filter(({ symbol }) => symbol !== 'usdt')) {
    for (const price of ['0.00021', '0.5', '1', '148.2', '61234.5', '999999']) {
      const draft = marketOf(base, quote, price)!;
      const decimals = {
        increment_price: draft.incrementPrice,
        increment_size: draft.incrementSize,
        min_price: draft.minPrice,
        max_price: draft.maxPrice,
        min_size: draft.minSize,
        max_size: draft.maxSize,
        reference_price: draft.estimatedPrice,
      };
      const result = marketTerms(decimals, { base: base.decimals, quote: quote.decimals });
      assert.ok(result.ok, JSON.stringify({ decimals, result }, showBigint));
    }
  }
});
