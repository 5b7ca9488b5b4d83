// Tests the amount that a voter retypes: number and unit count, spelling does not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameAmount } from './approvals.ts';

const CASES: readonly (readonly [retyped: string, isSame: boolean])[] = [
  ['10.5 btc', true],
  [' 10.50  BTC ', true],
  ['010.500 btc', true],
  ['10.5\tbtc', true],
  ['10.5', false],
  ['btc', false],
  ['', false],
  ['10.5 usdt', false],
  ['105 btc', false],
  ['10,5 btc', false],
  ['1e1 btc', false],
  ['+10.5 btc', false],
  ['-10.5 btc', false],
  ['10.5 btc btc', false],
  ['10.05 btc', false],
];

for (const [retyped, isSame] of CASES) {
  test(`'${retyped}' ${isSame ? 'is' : 'is not'} 10.5 btc`, () => {
    assert.equal(isSameAmount(retyped, '10.5 btc'), isSame);
    assert.equal(isSameAmount(retyped, '10.500 btc'), isSame);
  });
}

test('leading zeros count, trailing zeros after the point do not', () => {
  assert.equal(isSameAmount('100 btc', '10 btc'), false);
  assert.equal(isSameAmount('0.10 btc', '.1 btc'), false);
  assert.equal(isSameAmount('0 btc', '0.0 btc'), true);
});
