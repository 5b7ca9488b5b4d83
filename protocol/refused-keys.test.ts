// Keys that must not be ignored are found at every depth; other unknown keys are not reported.

import assert from 'node:assert/strict';
import test from 'node:test';
import { EXECUTION_KEYS, refusedKeys } from './refused-keys.ts';
import { routes } from './routes.ts';

const order = { symbol: 'btc-usdt', side: 'buy', size: 1, type: 'limit', price: 1 };
const { body: schema } = routes.createOrder;
const isOrder = { isOrder: true };

const found: [sentence: string, body: unknown, keys: [name: string, known?: string][]][] = [
  ['a correct order', { ...order, meta: { post_only: true, note: '' } }, []],
  [
    "an order with a client's own parameters",
    { ...order, timestamp: 1, recvWindow: 5, params: { test: true }, meta: { strategy: 'grid' } },
    [],
  ],
  ['another case within meta', { meta: { postOnly: true } }, [['meta.postOnly', 'meta.post_only']]],
  ['a hyphen', { meta: { 'post-only': true } }, [['meta.post-only', 'meta.post_only']]],
  [
    'a capital at the top',
    { Stop: 5, timeInForce: 'IOC' },
    [
      ['Stop', 'stop'],
      ['timeInForce', 'time_in_force'],
    ],
  ],
  ['a known key next to its misspelled form', { stop: 5, STOP: 6 }, [['STOP', 'stop']]],
  ['post-only at the top', { post_only: true }, [['post_only', 'meta.post_only']]],
  ['post-only at the top, in camel case', { postOnly: true }, [['postOnly', 'meta.post_only']]],
  ['a time in force in meta', { meta: { tif: 'IOC' } }, [['meta.tif', 'time_in_force']]],
  ['a stop in meta', { meta: { stop: 5 } }, [['meta.stop', 'stop']]],
  ['a price in params', { params: { price: 5 } }, [['params.price', 'price']]],
  ['a note at the top', { note: 'x' }, [['note', 'meta.note']]],
  ['a trigger price', { triggerPrice: '5' }, [['triggerPrice', 'stop']]],
  ['leverage', { leverage: 3 }, [['leverage']]],
  ['margin, deep in params', { params: { extra: { margin: true } } }, [['params.extra.margin']]],
  [
    'keys with default values',
    { postOnly: false, reduce_only: null, leverage: 0, params: { stopLoss: '' } },
    [],
  ],
  ['no object at all', null, []],
  ['a meta that is not an object', { meta: 'postOnly' }, []],
];

for (const [sentence, body, keys] of found) {
  test(`refused keys of ${sentence}`, () => {
    const expected = keys.map(([name, known]) => ({ name, known }));
    assert.deepEqual(refusedKeys(schema, body, isOrder), expected);
  });
}

/** How clients of other exchanges spell them, each in four ways. */
const FOREIGN = `
  post-only reduce-only time-in-force close-position close-on-trigger leverage margin
  margin-mode margin-type is-isolated position-side trigger trigger-price trigger-by
  stop-price stop-loss take-profit trailing-stop trailing-percent callback-rate
  activation-price iceberg iceberg-qty visible-size display-qty hidden working-type
  good-till-date expire-time cancel-after max-slippage quote-order-qty order-type
  self-trade-prevention-mode client-oid td-mode oco exec-inst`
  .trim()
  .split(/\s+/);
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name.replaceAll('-', '_'),
  (name) => name.replaceAll('-', '_').toUpperCase(),
  (name) => name.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase()),
  (name) => name,
];
const PLACES: readonly [prefix: string, within: (key: string) => object][] = [
  ['', (key) => ({ [key]: true })],
  ['meta.', (key) => ({ meta: { [key]: true } })],
  ['params.', (key) => ({ params: { [key]: true } })],
];

for (const [prefix, within] of PLACES) {
  test(`every name that would change execution is refused as '${prefix}…'`, () => {
    const own = new Set(['time_in_force', 'trigger', 'meta.post_only']);
    const ignored = FOREIGN.flatMap((name) => SPELLINGS.map((spell) => spell(name)))
      .filter((key) => !own.has(prefix + key))
      .filter((key) => {
        const [first] = refusedKeys(schema, { ...order, ...within(key) }, isOrder);
        return first?.name !== prefix + key;
      });
    assert.deepEqual(ignored, []);
  });
}

test('the list has plain names and refers only to keys that an order has', () => {
  for (const [name, known] of EXECUTION_KEYS) {
    assert.match(name, /^[a-z]+$/);
    if (known === undefined) continue;
    const [outer, inner] = known.split('.');
    const { properties } = schema as unknown as { properties: Record<string, typeof schema> };
    const place = inner === undefined ? properties : properties[outer].properties;
    assert.ok(Object.hasOwn(place, inner ?? outer), known);
  }
});

test('the orders in a batch are checked, and so is the batch itself', () => {
  const { body: batch } = routes.createOrders;
  const orders = [order, { ...order, clientOrderId: 'a' }, { ...order, post_only: true }];
  assert.deepEqual(refusedKeys(batch, { orders, reduceOnly: true }, isOrder), [
    { name: 'orders.1.clientOrderId', known: 'orders.1.client_order_id' },
    { name: 'orders.2.post_only', known: 'orders.2.meta.post_only' },
    { name: 'reduceOnly', known: undefined },
  ]);
});

test('in a body that is not an order, only misspelled keys are refused', () => {
  const { body } = routes.createWithdrawal;
  assert.deepEqual(refusedKeys(body, { Amount: 1, leverage: 3, meta: { network: 'x' } }), [
    { name: 'Amount', known: 'amount' },
  ]);
});

test('a deeply nested body uses no stack', () => {
  let nested: unknown = { leverage: 3 };
  for (let depth = 0; depth < 20_000; depth += 1) nested = { a: nested };
  assert.deepEqual(refusedKeys(schema, nested, isOrder), []);
});
