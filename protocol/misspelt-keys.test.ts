// Misspelt keys are found at every depth; unknown keys are not reported.

import assert from 'node:assert/strict';
import test from 'node:test';
import { misspeltKeys } from './misspelt-keys.ts';
import { routes } from './routes.ts';

const order = { symbol: 'btc-usdt', side: 'buy', size: 1, type: 'limit', price: 1 };
const found: [sentence: string, body: unknown, keys: [name: string, known: string][]][] = [
  ['an order as it should be', { ...order, meta: { post_only: true, note: '' } }, []],
  ['keys that are like nothing here', { ...order, margin: true, meta: { leverage: 3 } }, []],
  [
    'another case within meta',
    { ...order, meta: { postOnly: true } },
    [['meta.postOnly', 'meta.post_only']],
  ],
  [
    'a hyphen instead of an underscore',
    { meta: { 'post-only': true } },
    [['meta.post-only', 'meta.post_only']],
  ],
  [
    'a capital at the top',
    { Stop: 5, timeInForce: 'IOC' },
    [
      ['Stop', 'stop'],
      ['timeInForce', 'time_in_force'],
    ],
  ],
  ['a known key beside its misspelt form', { stop: 5, STOP: 6 }, [['STOP', 'stop']]],
  ['no object at all', null, []],
  ['a meta that is no object', { meta: 'postOnly' }, []],
];

for (const [sentence, body, keys] of found) {
  test(`misspelt keys of ${sentence}`, () => {
    const { body: schema } = routes.createOrder;
    const expected = keys.map(([name, known]) => ({ name, known }));
    assert.deepEqual(misspeltKeys(schema, body), expected);
  });
}

test('the orders of a batch are checked', () => {
  const { body: schema } = routes.createOrders;
  assert.deepEqual(misspeltKeys(schema, { orders: [order, { ...order, clientOrderId: 'a' }] }), [
    { name: 'orders.1.clientOrderId', known: 'orders.1.client_order_id' },
  ]);
});
