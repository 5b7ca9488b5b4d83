// Amounts keep every digit: 10,000 random values in and out, and arithmetic against integers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../testing/flows/random.ts';
import {
  add,
  changeRatio,
  compare,
  divide,
  formatDecimal,
  formatPercent,
  isMultipleOf,
  multiply,
  scaleOf,
  splitTrailingZeros,
  subtract,
  toIncrement,
  trimmed,
  typedDecimal,
  withScale,
} from './index.ts';

const LOOK = { language: 'en', digits: 'latn' } as const;

function randomAmount(random: Random, scale: number): string {
  const whole =
    random.below(3) === 0
      ? '0'
      : String(random.between(1, 999_999_999)) + String(random.below(1_000_000_000));
  const fraction = Array.from({ length: scale }, () => random.below(10)).join('');
  return scale === 0 ? whole : `${whole}.${fraction}`;
}

test('10,000 random amounts keep every digit when typed and shown', () => {
  const random = new Random(19);
  for (let round = 0; round < 10_000; round += 1) {
    const scale = random.below(19);
    const text = randomAmount(random, scale);
    assert.equal(typedDecimal(text, scale), text);
    const shown = formatDecimal(text, LOOK);
    assert.equal(shown.replaceAll(',', ''), text);
    assert.equal(typedDecimal(shown, scale), text);
  }
});

test('totals, differences and products match integer arithmetic', () => {
  const random = new Random(7);
  for (let round = 0; round < 2_000; round += 1) {
    const [a, b] = [randomAmount(random, 8), randomAmount(random, 8)];
    const units = (text: string) => BigInt(text.replace('.', ''));
    assert.equal(units(add(a, b)), units(a) + units(b));
    assert.equal(units(subtract(a, b)), units(a) - units(b));
    assert.equal(units(multiply(a, b)), units(a) * units(b));
    assert.equal(Math.sign(compare(a, b)), units(a) < units(b) ? -1 : units(a) > units(b) ? 1 : 0);
  }
});

test('quotients round toward zero or away from it', () => {
  assert.equal(divide('1', '3', { scale: 4 }), '0.3333');
  assert.equal(divide('1', '3', { scale: 4, rounding: 'up' }), '0.3334');
  assert.equal(divide('-1', '3', { scale: 2, rounding: 'up' }), '-0.34');
  assert.equal(divide('6', '3', { scale: 0, rounding: 'up' }), '2');
});

test('increments are enforced on the text', () => {
  assert.equal(toIncrement('0.123456789', '0.0001'), '0.1234');
  assert.equal(toIncrement('60000.74', '0.5'), '60000.5');
  assert.equal(toIncrement('60000.74', '0.5', 'up'), '60001.0');
  assert.equal(toIncrement('1234', '50'), '1200');
  assert.equal(isMultipleOf('0.3', '0.1'), true);
  assert.equal(isMultipleOf('0.35', '0.1'), false);
  assert.equal(scaleOf('0.0100'), 2);
  assert.equal(scaleOf('10'), 0);
  assert.equal(withScale('1.999', 2), '1.99');
  assert.equal(trimmed('100.500'), '100.5');
  assert.equal(trimmed('100'), '100');
});

const TYPED: readonly [text: string, scale: number, result: string | undefined][] = [
  ['', 2, ''],
  ['1,5', 2, '1.5'],
  ['1,500', 3, undefined],
  ['1,500,000', 2, '1500000'],
  ['1,500.25', 2, '1500.25'],
  ['.5', 2, '0.5'],
  ['007', 2, '7'],
  ['1.', 2, '1.'],
  ['۱۲٫۵', 2, '12.5'],
  ['٣٤', 0, '34'],
  ['1.234', 2, undefined],
  ['1.2', 0, undefined],
  ['1e5', 2, undefined],
  ['-1', 2, undefined],
  ['abc', 2, undefined],
];

test('typed text becomes a plain decimal or is rejected', () => {
  for (const [text, scale, result] of TYPED) assert.equal(typedDecimal(text, scale), result, text);
});

test('numbers are shown with the same characters in every language', () => {
  for (const language of ['en', 'fa', 'ar', 'zh', 'de', 'es', 'ja']) {
    const look = { language, digits: 'latn' } as const;
    assert.equal(formatDecimal('1234567.8900', look), '1,234,567.8900');
    assert.equal(formatPercent('0.01234', look, { isSigned: true }), '+1.23%');
  }
  assert.equal(formatDecimal('1234.5', { language: 'fa', digits: 'native' }), '۱٬۲۳۴٫۵');
});

test('trailing zeros are split off, and changes are ratios', () => {
  assert.deepEqual(splitTrailingZeros('0.0100'), { strong: '0.01', quiet: '00' });
  assert.deepEqual(splitTrailingZeros('100'), { strong: '100', quiet: '' });
  assert.equal(changeRatio('50000', '50500'), '0.010000');
  assert.equal(changeRatio('100', '99.5'), '-0.005000');
  assert.equal(changeRatio('0', '1'), undefined);
});
