// Tests descriptions for charting libraries: price and size increments, and search results.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Atoms } from '../../../core/money/index.ts';
import type { MarketEntry } from '../../listings/index.ts';
import { priceSteps, udfSearch, volumeDigits } from './udf-descriptions.ts';

const steps: [mantissa: number, scale: number, minmov: number, pricescale: number][] = [
  [1, 2, 1, 100],
  [5, 1, 5, 10],
  [25, 2, 25, 100],
  [10, 2, 1, 10],
  [100, 2, 1, 1],
  [50, 0, 50, 1],
  [1, 8, 1, 100_000_000],
];

for (const [mantissa, scale, minmov, pricescale] of steps) {
  test(`a tick of ${mantissa}e-${scale} is ${minmov} / ${pricescale}`, () => {
    assert.deepEqual(priceSteps({ mantissa, scale }), { minmov, pricescale });
  });
}

const lots: [atoms: bigint, scale: number, digits: number][] = [
  [1n, 8, 8],
  [10_000n, 8, 4],
  [100_000_000n, 8, 0],
  [1_000_000_000n, 8, 0],
  [5_000n, 6, 3],
  [3n, 0, 0],
];

for (const [atoms, scale, digits] of lots) {
  test(`a lot of ${atoms} atoms at scale ${scale} has ${digits} decimals`, () => {
    assert.equal(volumeDigits({ atoms: atoms as Atoms, scale }), digits);
  });
}

const markets = ['btc-usdt', 'eth-usdt', 'eth-btc'].map((symbol) => ({ symbol }) as MarketEntry);
const searches: [text: string, limit: number, found: string[]][] = [
  ['', 30, ['btc-usdt', 'eth-usdt', 'eth-btc']],
  ['', 2, ['btc-usdt', 'eth-usdt']],
  ['btc', 30, ['btc-usdt', 'eth-btc']],
  ['ETH/BTC', 30, ['eth-btc']],
  ['ethusdt', 30, ['eth-usdt']],
  ['doge', 30, []],
];

for (const [text, limit, found] of searches) {
  test(`a search for ${JSON.stringify(text)} finds ${found.length} of at most ${limit}`, () => {
    const results = udfSearch(markets, { text, limit, exchange: 'Rialto' });
    assert.deepEqual(
      results.map(({ symbol }) => symbol),
      found,
    );
  });
}
