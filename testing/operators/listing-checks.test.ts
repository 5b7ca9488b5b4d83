// The console's wizard and the exchange agree on the increments and limits of a new market.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CheckName,
  checkPair,
  type PairDraft,
} from '../../apps/console/markets/listing-checks.ts';
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
