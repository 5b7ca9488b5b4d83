// Rates after a discount match the engine: whole millionths, rounded up.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feeRates } from './fee-rates.ts';

const TIER = {
  fees: { maker: { 'btc-usdt': '0.1' }, taker: { 'btc-usdt': '0.15', default: '0.3' } },
};

test('a discount lowers both rates, and a market without rates has none', () => {
  const rates = (discount: string) => feeRates(TIER, 'btc-usdt', discount);
  assert.deepEqual(rates('0'), { maker: '0.1', taker: '0.15', discount: '0' });
  assert.deepEqual(rates('20'), { maker: '0.08', taker: '0.12', discount: '20' });
  assert.deepEqual(rates('33.5'), { maker: '0.0665', taker: '0.0998', discount: '33.5' });
  assert.deepEqual(rates('100'), { maker: '0', taker: '0', discount: '100' });
  assert.equal(feeRates(TIER, 'xht-usdt', '0'), undefined);
  assert.equal(feeRates(undefined, 'btc-usdt', '0'), undefined);
});

test("the rates equal the engine's rates", () => {
  // Values of discountedPpm(1_500, discount) in core/money, in percent.
  const charged = { 1: 0.1485, 7: 0.1395, 12.5: 0.1313, 33.33: 0.1001, 50: 0.075, 99.99: 0.0001 };
  for (const [discount, percent] of Object.entries(charged)) {
    assert.equal(Number(feeRates(TIER, 'btc-usdt', discount)?.taker), percent, discount);
  }
});
