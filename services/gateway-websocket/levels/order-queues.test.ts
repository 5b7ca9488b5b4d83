// A level 3 book: priority, loss of priority, and unchanged orders.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrderQueues } from './order-queues.ts';

const HEAD = { timeMs: 5, lot: { atoms: '1', scale: 8 }, tick: { mantissa: 5, scale: 1 } };
const WHOLE = JSON.stringify({
  ...HEAD,
  orders: [[1, 'buy', 10, 100], [2, 'sell', 12, 100], [3, 'buy', 11, 100], [4, 'buy', 10, 100]],
}); // biome-ignore format: rows
const [ONE, TWO, THREE, FOUR, FIVE] = ['01', '02', '03', '04', '05'].map(
  (number) => `00000000-0000-81${number}-8000-000000000000`,
);

function parsed(fields: string): unknown {
  return JSON.parse(`{${fields}}`);
}

test('orders are sorted best first, and by arrival at one price', () => {
  const book = new OrderQueues();
  assert.equal(book.load(WHOLE), true);
  assert.deepEqual(parsed(book.full().fields), {
    bids: [
      ['5.5', '0.000001', THREE],
      ['5', '0.000001', ONE],
      ['5', '0.000001', FOUR],
    ],
    asks: [['6', '0.000001', TWO]],
  });
});

test('an order that loses priority is closed and opened; a reduced one keeps its place', () => {
  const book = new OrderQueues();
  book.load(WHOLE);
  const told = book.apply(
    JSON.stringify({timeMs: 9, closed: [2, 9], changed: [[4, 50]],
      opened: [[1, 'buy', 10, 100], [5, 'sell', 13, 7]],
    }), // biome-ignore format: rows
  );
  assert.equal(told?.timeMs, 9);
  assert.deepEqual(parsed(told!.fields), {
    closed: [TWO, ONE],
    changed: [[FOUR, '0.0000005']],
    opened: [
      ['buy', '5', '0.000001', ONE],
      ['sell', '6.5', '0.00000007', FIVE],
    ],
  });
  assert.deepEqual(parsed(book.full().fields), {
    bids: [
      ['5.5', '0.000001', THREE],
      ['5', '0.0000005', FOUR],
      ['5', '0.000001', ONE],
    ],
    asks: [['6.5', '0.00000007', FIVE]],
  });
});

test('unchanged orders are not reported', () => {
  const book = new OrderQueues();
  book.load(WHOLE);
  const same = JSON.stringify({ timeMs: 9, closed: [9], changed: [[4, 100]], opened: [] });
  assert.equal(book.apply(same), undefined);
  assert.equal(book.load(WHOLE), false);
  const turned = { ...JSON.parse(WHOLE) };
  turned.orders = turned.orders.toReversed();
  assert.equal(book.load(JSON.stringify(turned)), true, 'another order at one price');
});
