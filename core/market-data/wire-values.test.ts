// A market's numbers on the wire: plain decimals at the limits of scale and size.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Atoms, Lots, Ppm, Ticks } from '../money/index.ts';
import {
  averageText,
  percentText,
  priceText,
  secondsOf,
  sizeText,
  volumeText,
} from './wire-values.ts';

// One lot is 0.00000001 base, one tick 0.5 quote: 5 atoms of a quote with a scale of 9.
const MARKET = {
  lot: { atoms: 1n as Atoms, scale: 8 },
  tick: { mantissa: 5, scale: 1 },
  tickLotAtoms: 5n as Atoms,
};

test('prices, sizes and volumes have neither an exponent nor trailing zeros', () => {
  assert.equal(priceText(MARKET, 120_001 as Ticks), '60000.5');
  assert.equal(priceText(MARKET, 2 as Ticks), '1');
  assert.equal(sizeText(MARKET, 1 as Lots), '0.00000001');
  assert.equal(sizeText(MARKET, Number.MAX_SAFE_INTEGER as Lots), '90071992.54740991');
  assert.equal(volumeText(MARKET, 10n ** 20n), '1000000000000');
});

test('rates are in percent', () => {
  const texts = [0, 1, 1_000, 2_500, 1_000_000].map((rate) => percentText(rate as Ppm));
  assert.deepEqual(texts, ['0', '0.0001', '0.1', '0.25', '100']);
});

test('an average lies between ticks and is truncated, and without fills it is 0', () => {
  // Two lots at tick 1 and one at tick 2: 4/3 of a tick of 0.5.
  assert.equal(averageText(MARKET, { lots: 3 as Lots, quoteAtoms: 20n }), '0.666666666');
  assert.equal(averageText(MARKET, { lots: 0 as Lots, quoteAtoms: 0n }), '0');
});

test('seconds are rounded down', () => {
  assert.deepEqual([999, 1_000, 1_999].map(secondsOf), [0, 1, 1]);
});
