// Decimals: accepted and rejected texts by table; exactness against rational arithmetic.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  atomsFromDecimal,
  type DecimalResult,
  decimalFromAtoms,
  decimalFromLots,
  decimalFromTicks,
  lotsFromDecimal,
  ticksFromDecimal,
} from './decimals.ts';
import { ATOMS_MAX, type Atoms, type Lots, type Ticks } from './units.ts';

function outcome(result: DecimalResult<bigint | number>): bigint | number | string {
  return result.ok ? result.value : result.problem;
}

test('amount texts are parsed at scale 8', () => {
  const cases: readonly [string, bigint | string][] = [
    ['0', 0n],
    ['-0', 0n],
    ['-0.000', 0n],
    ['0e99999999999', 0n],
    ['1', 100_000_000n],
    ['1.0', 100_000_000n],
    ['0.10', 10_000_000n],
    ['1e-8', 1n],
    ['1.0E-8', 1n],
    ['1E+3', 100_000_000_000n],
    ['1e3', 100_000_000_000n],
    ['1e0003', 100_000_000_000n],
    ['123.45678901', 12_345_678_901n],
    ['100000000000e-19', 1n],
    ['0.000000000', 0n],
    ['46116860184.27387904', ATOMS_MAX],
    ['46116860184.27387905', 'too_large'],
    ['1e40', 'too_large'],
    ['1e99999999999999999999', 'too_large'],
    ['9'.repeat(100), 'too_large'],
    ['0.000000001', 'too_many_digits'],
    ['1e-9', 'too_many_digits'],
    ['1e-99999999999999999999', 'too_many_digits'],
    [`0.${'0'.repeat(97)}1`, 'too_many_digits'],
    ['-1', 'negative'],
    ['-1e-9', 'negative'],
    [`1${'0'.repeat(100)}`, 'not_a_number'],
  ];
  for (const [text, expected] of cases) {
    assert.equal(outcome(atomsFromDecimal(text, 8)), expected, text);
  }
});

test('text that is not a JSON number is rejected', () => {
  const refused = '|+1|01|00|.5|1.|1.e3|1e|1e+|e3|0x1|1_000|1,000|1n|Infinity|-Infinity|NaN|--1|- 1'
    .split('|')
    .concat([' 1', '1 ', '1\n', '\t1', '١', '１', '1.2.3', '1e1.5', 'null', 'true', '"1"', '1\0']);
  for (const text of refused) {
    assert.equal(outcome(atomsFromDecimal(text, 8)), 'not_a_number', JSON.stringify(text));
  }
});

test('prices and sizes that are not whole multiples are rejected', () => {
  const half = { mantissa: 5, scale: 1 };
  const tickCases: readonly [string, number | string][] = [
    ['0.5', 1],
    ['0.50', 1],
    ['10', 20],
    ['5e-1', 1],
    ['0.6', 'not_a_multiple'],
    ['0.55', 'not_a_multiple'],
    ['1e-5000', 'not_a_multiple'],
    ['4503599627370495.5', Number.MAX_SAFE_INTEGER],
    ['4503599627370496', 'too_large'],
    ['1e5000', 'too_large'],
    ['-0.5', 'negative'],
  ];
  for (const [text, expected] of tickCases) {
    assert.equal(outcome(ticksFromDecimal(text, half)), expected, text);
  }
  const lot = { atoms: 2_500n as Atoms, scale: 8 };
  assert.equal(outcome(lotsFromDecimal('0.000025', lot)), 1);
  assert.equal(outcome(lotsFromDecimal('1', lot)), 40_000);
  assert.equal(outcome(lotsFromDecimal('0.00002', lot)), 'not_a_multiple');
  assert.equal(outcome(lotsFromDecimal('0.000000001', lot)), 'not_a_multiple');
  assert.equal(outcome(lotsFromDecimal('1e50', lot)), 'too_large');
});

test('decimals are formatted as plain digits', () => {
  const cases: readonly [bigint, number, string][] = [
    [0n, 8, '0'],
    [0n, 0, '0'],
    [1n, 8, '0.00000001'],
    [10n, 8, '0.0000001'],
    [100_000_000n, 8, '1'],
    [-150_000_000n, 8, '-1.5'],
    [1_000n, 0, '1000'],
    [ATOMS_MAX, 18, '4.611686018427387904'],
  ];
  for (const [atoms, scale, expected] of cases) {
    assert.equal(decimalFromAtoms(atoms as Atoms, scale), expected);
  }
});

const anyScale = fc.integer({ min: 0, max: 18 });

test('a formatted number parses to the same number', () => {
  const anyAtoms = fc.bigInt({ min: 0n, max: ATOMS_MAX });
  fc.assert(
    fc.property(anyAtoms, anyScale, (atoms, scale) => {
      const text = decimalFromAtoms(atoms as Atoms, scale);
      assert.match(text, /^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/);
      assert.equal(outcome(atomsFromDecimal(text, scale)), atoms);
    }),
  );
  const anyTick = fc.record({ mantissa: fc.integer({ min: 1, max: 2 ** 31 }), scale: anyScale });
  fc.assert(
    fc.property(fc.maxSafeNat(), anyTick, (count, tick) => {
      const lot = { atoms: BigInt(tick.mantissa) as Atoms, scale: tick.scale };
      assert.equal(outcome(ticksFromDecimal(decimalFromTicks(count as Ticks, tick), tick)), count);
      assert.equal(outcome(lotsFromDecimal(decimalFromLots(count as Lots, lot), lot)), count);
    }),
  );
});

test('a number text parses to its exact rational value or is rejected', () => {
  const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,11})$/);
  const fraction = fc.stringMatching(/^[0-9]{0,12}$/);
  const exponent = fc.integer({ min: -20, max: 20 });
  fc.assert(
    fc.property(digits, fraction, exponent, anyScale, (whole, fractional, power, scale) => {
      const text = `${whole}${fractional === '' ? '' : `.${fractional}`}e${power}`;
      // The value × 10^scale as a fraction: everything over 10^40.
      const numerator = BigInt(whole + fractional) * 10n ** BigInt(40 + power + scale);
      const denominator = 10n ** BigInt(40 + fractional.length);
      const exact = numerator / denominator;
      const expected =
        numerator % denominator !== 0n
          ? 'too_many_digits'
          : exact > ATOMS_MAX
            ? 'too_large'
            : exact;
      assert.equal(outcome(atomsFromDecimal(text, scale)), expected, text);
    }),
  );
});
