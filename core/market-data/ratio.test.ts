// Derived prices are exact until they are written as decimals, and then truncated.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimalOfRatio, inverse, product, type Ratio, ratioFromDecimal } from './ratio.ts';

const read: [text: string, ratio: [over: bigint, under: bigint] | undefined][] = [
  ['0', [0n, 1n]],
  ['1', [1n, 1n]],
  ['12.50', [1_250n, 100n]],
  ['0.00000001', [1n, 100_000_000n]],
  ['1e-8', [1n, 100_000_000n]],
  ['1.5E+3', [1_500n, 1n]],
  ['', undefined],
  ['-1', undefined],
  ['+1', undefined],
  ['1.', undefined],
  ['.5', undefined],
  ['1e999', undefined],
  ['0x10', undefined],
  ['NaN', undefined],
  [' 1', undefined],
];

for (const [text, ratio] of read) {
  test(`reading ${JSON.stringify(text)}`, () => {
    const expected = ratio && { over: ratio[0], under: ratio[1] };
    assert.deepEqual(ratioFromDecimal(text), expected);
  });
}

const written: [over: bigint, under: bigint, text: string][] = [
  [0n, 7n, '0'],
  [1n, 1n, '1'],
  [1n, 2n, '0.5'],
  [1n, 3n, '0.333333333333333'],
  [2n, 3n, '0.666666666666666'],
  [10n, 3n, '3.33333333333333'],
  [10n ** 20n, 3n, '33333333333333333333'],
  [1n, 3n * 10n ** 12n, '0.000000000000333333333333333'],
  [1n, 10n ** 30n, '0.000000000000000000000000000001'],
  [1n, 10n ** 31n, '0'],
  [123_456_789_012_345_678n, 10n, '12345678901234567'],
  [1_000n, 1n, '1000'],
];

for (const [over, under, text] of written) {
  test(`${over} / ${under} is written ${text}`, () => {
    assert.equal(decimalOfRatio({ over, under }), text);
  });
}

test('the written decimal is never more than the ratio, and barely less', () => {
  const part = fc.bigInt({ min: 1n, max: 10n ** 14n });
  fc.assert(
    fc.property(part, part, (over, under) => {
      const text = decimalOfRatio({ over, under });
      const back = ratioFromDecimal(text) as Ratio;
      const difference = over * back.under - back.over * under;
      assert.ok(difference >= 0n, `${text} is too large`);
      // Relative to the ratio: below 10^-14, unless the ratio has only integer digits.
      const isClose = difference * 10n ** 14n <= over * back.under;
      assert.ok(isClose, `${text} is too small`);
    }),
  );
});

test('the product of a price and its inverse is one', () => {
  const price = ratioFromDecimal('0.07') as Ratio;
  const one = product(price, inverse(price));
  assert.equal(one.over, one.under);
});
