// Decimals: accepted texts by table; arithmetic against whole numbers of the smallest unit.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalText,
  multiplyDecimals,
  parseDecimal,
} from './decimal.ts';

test('a decimal is written with plain digits and without trailing zeros', () => {
  const cases: readonly [string, string][] = [
    ['0', '0'],
    ['-0', '0'],
    ['000.500', '0.5'],
    ['-0.050', '-0.05'],
    ['100', '100'],
    ['12345678901234567890.000000000000000001', '12345678901234567890.000000000000000001'],
  ];
  for (const [text, written] of cases) assert.equal(decimalText(parseDecimal(text)), written);
});

test('other text is rejected', () => {
  for (const text of ['', ' 1', '+1', '.5', '1.', '1e3', '0x1', '1_000', 'NaN', '١']) {
    assert.throws(() => parseDecimal(text), RangeError, text);
  }
});

// The model: every decimal with at most 20 digits after the point as a whole number of 10^-20.
const MODEL_SCALE = 20;
const decimals = fc.record({
  mantissa: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  scale: fc.integer({ min: 0, max: MODEL_SCALE }),
});

function units({ mantissa, scale }: Decimal): bigint {
  let all = mantissa;
  for (let digit = scale; digit < MODEL_SCALE; digit += 1) all *= 10n;
  return all;
}

test('comparison, sum and product are those of whole numbers', () => {
  fc.assert(
    fc.property(decimals, decimals, (one, other) => {
      const [first, second] = [units(one), units(other)];
      assert.equal(compareDecimals(one, other), Number(first > second) - Number(first < second));
      assert.equal(units(addDecimals(one, other)), first + second);
      const product = multiplyDecimals(one, other);
      assert.equal(
        product.mantissa * 10n ** BigInt(2 * MODEL_SCALE - product.scale),
        first * second,
      );
    }),
  );
});

test('a decimal is read back as it was written', () => {
  fc.assert(
    fc.property(decimals, (one) => {
      assert.equal(compareDecimals(parseDecimal(decimalText(one)), one), 0);
    }),
  );
});
