// Decimals keep their digits where the shape has them; everything else is unchanged.

import assert from 'node:assert/strict';
import test from 'node:test';
import { calls } from './calls.generated.ts';
import { readJson } from './read-json.ts';

const cases = [
  {
    what: 'a decimal becomes its source text, and a count stays a number',
    text:
      '{"count":2,"data":[{"size":0.10,"fee":1e-7,"created_by":7},' +
      '{"size":12345678901234567890}]}',
    shape: { data: { '[]': { size: 1, fee: 1 } } },
    value: {
      count: 2,
      data: [{ size: '0.10', fee: '1e-7', created_by: 7 }, { size: '12345678901234567890' }],
    },
  },
  {
    what: 'null, a missing key and a text are unchanged',
    text: '{"price":null,"stop":"5"}',
    shape: { price: 1, stop: 1, size: 1 },
    value: { price: null, stop: '5' },
  },
  {
    what: 'keys without a shape use the star',
    text: '{"user_id":7,"btc_balance":0.30000000000000004,"updated_at":"2026"}',
    shape: { '*': 1, user_id: 0, updated_at: 0 },
    value: { user_id: 7, btc_balance: '0.30000000000000004', updated_at: '2026' },
  },
  {
    what: 'levels are pairs of texts',
    text: '{"btc-usdt":{"bids":[[60000,0.5]],"asks":[]}}',
    shape: { '*': { bids: { '[]': { '[]': 1 } }, asks: { '[]': { '[]': 1 } } } },
    value: { 'btc-usdt': { bids: [['60000', '0.5']], asks: [] } },
  },
  {
    what: 'keys of the prototype are not keys of the shape',
    text: '{"constructor":1.5,"__proto__":2.5}',
    shape: { size: 1 },
    value: JSON.parse('{"constructor":1.5,"__proto__":2.5}'),
  },
] as const;

for (const { shape, text, value, what } of cases) {
  test(what, () => {
    assert.deepEqual(readJson(text, shape), value);
    assert.deepEqual(readJson(text, 0), JSON.parse(text));
  });
}

test('the shape of a balance covers its coins', () => {
  const text = '{"user_id":2,"updated_at":"x","btc_balance":1.10,"btc_available":0.0000001}';
  assert.deepEqual(readJson(text, calls.getBalance.decimals), {
    user_id: 2,
    updated_at: 'x',
    btc_balance: '1.10',
    btc_available: '0.0000001',
  });
});
