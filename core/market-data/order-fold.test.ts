// Orders folded from the events of one command: only events of the order itself count, whatever
// else the command does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromPlain, type Plain } from '../../testing/market-data/from-plain.ts';
import { orderPlaced } from '../../testing/market-data/order-placed.ts';
import type {
  Event,
  OrderAmended,
  OrderClosed,
  OrderPlaced,
  TradeExecuted,
} from '../messages/index.ts';
import type { OrderNumber } from '../money/index.ts';
import {
  isKnownExactly,
  type OrderState,
  orderAfter,
  orderStatus,
  placedOrder,
} from './order-fold.ts';

const TIME_MS = 1_700_000_000_000;

function placed(order: number, more: Plain<OrderPlaced> = {}): Event {
  return orderPlaced({ order, ...more });
}

function traded(sides: { maker: number; taker: number; lots: number }, fees = [1n, 2n]): Event {
  const { lots, maker, taker } = sides;
  return fromPlain<TradeExecuted>({
    kind: 'TradeExecuted',
    command: 10,
    makerOrder: maker,
    takerOrder: taker,
    market: 1,
    sizeLots: lots,
    quoteAtoms: BigInt(lots) * 100n,
    makerFeeAtoms: fees[0],
    takerFeeAtoms: fees[1],
  });
}

function closed(order: number, reason: string, remainingLots: number): OrderClosed {
  return { kind: 'OrderClosed', command: 10, order, reason, remainingLots } as OrderClosed;
}

function amended(order: number, to: object): OrderAmended {
  return { kind: 'OrderAmended', command: 11, order, ...to } as OrderAmended;
}

const now = (order: OrderState) => ({
  status: orderStatus(order, order.closeReason),
  left: order.remainingLots,
  quote: order.filledQuoteAtoms,
  fee: order.feeAtoms,
});

const table: [title: string, events: Event[], expected: object][] = [
  ['rests', [placed(10)], { status: 'new', left: 10, quote: 0n, fee: 0n }],
  [
    'is filled in part and rests',
    [placed(10), traded({ maker: 3, taker: 10, lots: 4 }), closed(3, 'filled', 0)],
    { status: 'pfilled', left: 6, quote: 400n, fee: 2n },
  ],
  [
    'is filled by several orders',
    [
      placed(10),
      traded({ maker: 3, taker: 10, lots: 4 }, [5n, 3n]),
      closed(3, 'filled', 0),
      traded({ maker: 4, taker: 10, lots: 6 }, [5n, 4n]),
      closed(10, 'filled', 0),
    ],
    { status: 'filled', left: 0, quote: 1_000n, fee: 7n },
  ],
  [
    'is filled in part, and its remainder is canceled',
    [
      placed(10, { type: 'market', timeInForce: 'IOC' }),
      traded({ maker: 3, taker: 10, lots: 4 }),
      closed(10, 'immediate_order_remainder', 6),
    ],
    { status: 'canceled', left: 6, quote: 400n, fee: 2n },
  ],
  [
    'triggers a stop of another user, which trades with a third order',
    [
      placed(10),
      traded({ maker: 3, taker: 10, lots: 4 }),
      { kind: 'OrderTriggered', command: 10, order: 5, user: 8, market: 1 } as Event,
      traded({ maker: 6, taker: 5, lots: 9 }),
      closed(6, 'self_trade_prevented', 1),
      closed(5, 'filled', 0),
    ],
    { status: 'pfilled', left: 6, quote: 400n, fee: 2n },
  ],
  [
    'triggers a stop that then trades with the order itself, as its maker',
    [
      placed(10),
      traded({ maker: 3, taker: 10, lots: 4 }, [5n, 2n]),
      { kind: 'OrderTriggered', command: 10, order: 5, user: 8, market: 1 } as Event,
      traded({ maker: 10, taker: 5, lots: 6 }, [9n, 5n]),
      closed(10, 'filled', 0),
      closed(5, 'immediate_order_remainder', 3),
    ],
    { status: 'filled', left: 0, quote: 1_000n, fee: 11n },
  ],
];

for (const [title, events, expected] of table) {
  test(`an order that ${title}`, () => {
    const order = placedOrder({ events, timeMs: TIME_MS }, 10 as OrderNumber);
    assert.ok(order);
    assert.deepEqual(now(order), expected);
    assert.equal(order.createdMs, TIME_MS);
    assert.equal(order.updatedMs, TIME_MS);
  });
}

test('an order that the events do not place is undefined', () => {
  const events = [placed(11), closed(10, 'filled', 0)];
  assert.equal(placedOrder({ events, timeMs: TIME_MS }, 10 as OrderNumber), undefined);
});

test('an amended order has its new terms, its old fills and the fills after the amendment', () => {
  const events = [placed(10), traded({ maker: 3, taker: 10, lots: 4 })];
  const before = placedOrder({ events, timeMs: TIME_MS }, 10 as OrderNumber);
  assert.ok(before);
  const amend = amended(10, { priceTicks: 120, sizeLots: 12, remainingLots: 8 });
  const after = orderAfter(before, {
    events: [amend, traded({ maker: 4, taker: 10, lots: 2 })],
    timeMs: TIME_MS + 5,
  });
  assert.deepEqual(now(after), { status: 'pfilled', left: 6, quote: 600n, fee: 4n });
  assert.equal(after.priceTicks, 120);
  assert.equal(after.sizeLots, 12);
  assert.deepEqual([after.createdMs, after.updatedMs], [TIME_MS, TIME_MS + 5]);
});

test('a known order is exact only without later fills', () => {
  const events = [placed(10), traded({ maker: 3, taker: 10, lots: 4 })];
  const known = placedOrder({ events, timeMs: TIME_MS }, 10 as OrderNumber);
  assert.ok(known);
  assert.equal(isKnownExactly(known, closed(10, 'canceled_by_user', 6)), true);
  assert.equal(isKnownExactly(known, closed(10, 'canceled_by_user', 5)), false);
  const terms = { priceTicks: 120, sizeLots: 12 };
  assert.equal(isKnownExactly(known, amended(10, { ...terms, remainingLots: 8 })), true);
  assert.equal(isKnownExactly(known, amended(10, { ...terms, remainingLots: 7 })), false);
});
