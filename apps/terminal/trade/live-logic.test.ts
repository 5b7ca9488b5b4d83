// Lost responses, running bars and keys.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepestOf, hasChanged, sizesOf } from './book-view.ts';
import { depthPoints } from './depth-points.ts';
import { parseDrawings } from './kept-drawings.ts';
import { actOf } from './keys.ts';
import {
  afterLookUp,
  afterStream,
  LOOK_UPS,
  type PendingOrder,
  readPending,
} from './pending-orders.ts';
import { afterTrade, barStart, withoutGaps } from './running-bar.ts';

const PENDING: PendingOrder = {
  clientOrderId: 'mine',
  words: 'Buy 1 BTC',
  status: 'looking',
  lookUps: 0,
};

test('an order with a lost response is placed once the exchange reports it', () => {
  assert.equal(afterLookUp(PENDING, 'found').status, 'placed');
  const [seen] = afterStream([PENDING], [{ client_order_id: 'mine' }]);
  assert.equal(seen.status, 'placed');
  const unchanged = [PENDING];
  assert.equal(afterStream(unchanged, [{ client_order_id: 'other' }, {}]), unchanged);
});

test('an order is absent after several look-ups, and missing responses do not count', () => {
  let pending = PENDING;
  for (let count = 1; count < LOOK_UPS; count += 1) {
    pending = afterLookUp(afterLookUp(pending, 'not found'), 'no answer');
    assert.equal(pending.status, 'looking');
  }
  pending = afterLookUp(pending, 'not found');
  assert.equal(pending.status, 'absent');
  assert.equal(afterStream([pending], [{ client_order_id: 'mine' }])[0].status, 'placed');
});

test('trades extend the bar, open the next one, and do not change older bars', () => {
  const trade = (price: string, time: string) => ({ price, size: '2', timestamp: time });
  const first = afterTrade(undefined, trade('10', '2026-11-17T09:00:10Z'), 60_000)!;
  const second = afterTrade(first, trade('12', '2026-11-17T09:00:59Z'), 60_000)!;
  assert.deepEqual(
    [second.open, second.high, second.low, second.close, second.volume],
    [10, 12, 10, 12, 4],
  );
  const third = afterTrade(second, trade('11', '2026-11-17T09:01:00Z'), 60_000)!;
  assert.deepEqual([third.open, third.high, third.low, third.volume], [12, 12, 11, 2]);
  assert.equal(third.timestamp - second.timestamp, 60_000);
  assert.equal(afterTrade(third, trade('1', '2026-11-17T09:00:00Z'), 60_000), undefined);
});

test('every period has a bar, so the time axis is linear', () => {
  const bar = (minute: number, close: number) => {
    const at = { timestamp: minute * 60_000, open: 1, high: 9, low: 1 };
    return { ...at, close, volume: 5 };
  };
  const bars = withoutGaps([bar(10, 3), bar(13, 4), bar(14, 2)], 16.5 * 60_000, 60_000);
  assert.deepEqual(
    bars.map(({ close, timestamp, volume }) => [timestamp / 60_000, close, volume]),
    [
      [10, 3, 5],
      [11, 3, 0],
      [12, 3, 0],
      [13, 4, 5],
      [14, 2, 5],
      [15, 2, 0],
      [16, 2, 0],
    ],
  );
  assert.deepEqual([bars[1].open, bars[1].high, bars[1].low], [3, 3, 3]);
  assert.deepEqual(withoutGaps([], 1, 60_000), []);
});

test('weeks start on Monday', () => {
  const week = 7 * 86_400_000;
  const start = barStart(Date.parse('2026-11-17T09:00:00Z'), week);
  assert.equal(new Date(start).toISOString(), '2026-11-16T00:00:00.000Z');
});

const PRESSES: readonly [
  key: string,
  change: object,
  sendsByKey: boolean,
  act: string | undefined,
][] = [
  ['b', {}, false, 'buy'],
  ['B', { isTyping: true }, false, undefined],
  ['k', { ctrlKey: true, isTyping: true }, false, 'palette'],
  ['k', { metaKey: true }, false, 'palette'],
  ['b', { ctrlKey: true }, false, undefined],
  ['?', {}, false, 'help'],
  ['c', {}, false, undefined],
  ['c', {}, true, 'cancelLast'],
  ['z', {}, true, undefined],
];

test('keys do nothing while the user types, and cancel orders only if enabled', () => {
  const idle = { ctrlKey: false, metaKey: false, altKey: false, isTyping: false };
  for (const [key, change, sendsByKey, act] of PRESSES) {
    assert.equal(actOf({ ...idle, key, ...change }, { sendsByKey }), act, key);
  }
});

test('depth extends outward from the middle, and distant orders are left out', () => {
  const { asks, bids, prices } = depthPoints({
    bids: [
      ['99', '1'],
      ['98', '2'],
      ['50', '9'],
    ],
    asks: [
      ['101', '3'],
      ['102', '1'],
      ['103', '7'],
    ],
  });
  assert.deepEqual(prices, [98, 99, 101, 102]);
  assert.deepEqual(bids, [3, 1, null, null]);
  assert.deepEqual(asks, [null, null, 3, 4]);
});

test('invalid stored drawings are ignored', () => {
  const drawing = { name: 'segment', points: [{ timestamp: 5, value: 1.5 }, { value: 2 }] };
  assert.deepEqual(parseDrawings(JSON.stringify([drawing, { name: 1 }, null])), [drawing]);
  for (const stored of [null, '', '{}', '[{"name":"a","points":[{"value":"x"}]}]']) {
    assert.deepEqual(parseDrawings(stored), []);
  }
});

test('invalid stored pending orders are ignored after a reload', () => {
  assert.deepEqual(readPending(JSON.stringify([PENDING, { words: 'x' }, null])), [PENDING]);
  for (const stored of [null, '', '{}', '[1]', '[{"clientOrderId":"a","status":"sent"}]']) {
    assert.deepEqual(readPending(stored), []);
  }
});

test('a level flashes if its size or price is new, but not if it only came into view', () => {
  const row = (price: string, size: string) => ({ price, size, total: '', share: 0, isOwn: false });
  const bids = sizesOf([row('100', '1'), row('99', '2'), undefined]);
  const asks = sizesOf([row('103', '2'), row('101', '1')]);
  const of = (side: 'buy' | 'sell', price: string, size: string) => {
    const sizes = side === 'buy' ? bids : asks;
    const deepest = deepestOf(sizes, side) ?? '';
    return hasChanged({ price, size }, { sizes, side, deepest });
  };
  assert.equal(deepestOf(bids, 'buy'), '99');
  assert.equal(deepestOf(asks, 'sell'), '103');
  assert.equal(deepestOf(new Map(), 'buy'), undefined);
  const cases = [
    ['buy', '100', '1', false],
    ['buy', '100', '3', true],
    ['buy', '99.5', '1', true],
    ['buy', '100.5', '1', true],
    ['buy', '98', '1', false],
    ['sell', '101', '1', false],
    ['sell', '102', '1', true],
    ['sell', '104', '1', false],
  ] as const;
  for (const [side, price, size, isChanged] of cases) {
    assert.equal(of(side, price, size), isChanged, `${side} ${price} ${size}`);
  }
});
