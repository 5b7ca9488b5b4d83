// Tests the sources of an order response: events, memory, tables, or the acknowledged fields. No
// table is read unless needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event, OrderClosed } from '../../../core/messages/index.ts';
import type { OrderNumber } from '../../../core/money/index.ts';
import type { FreshReads } from '../../../infra/fresh-reads/index.ts';
import type { Pool } from '../../../infra/postgres/index.ts';
import type { Clock, Logger } from '../../../infra/process/index.ts';
import type { Accepted, Dependencies } from '../../../platform/http/index.ts';
import { orderPlaced } from '../../../testing/market-data/order-placed.ts';
import type { Catalogue, MarketEntry } from '../../listings/index.ts';
import { OrderMemory } from '../order-memory.ts';
import { canceledOrderJson, closedOrdersJson, placedOrderJson } from './order-answers.ts';

const TIME_MS = Date.UTC(2026, 0, 5, 10);
const MARKET = {
  market: 1,
  symbol: 'btc-usdt',
  tickLotAtoms: 1n,
  base: { asset: 1, symbol: 'btc', scale: 8 },
  quote: { asset: 2, symbol: 'usdt', scale: 6 },
  lot: { atoms: 10_000n, scale: 8 },
  tick: { mantissa: 1, scale: 2 },
} as MarketEntry;
const PLACED = orderPlaced({ priceTicks: 6_000_000, sizeLots: 100, clientOrderId: 'mine' });
const ROW = {
  number: '10',
  user_id: '7',
  market_id: '1',
  side: 'buy',
  type: 'limit',
  time_in_force: 'GTC',
  self_trade: 'cancel_newest',
  post_only: false,
  client_order_id: 'mine',
  note: '',
  stop_ticks: '0',
  trigger: 'stop',
  linked_order: '0',
  expires_at: null,
  maker_fee_ppm: '1000',
  taker_fee_ppm: '2000',
  price_ticks: '6000000',
  size_lots: '100',
  filled_lots: '40',
  filled_quote_atoms: '240000000',
  fee_atoms: '400',
  close_reason: 'canceled_by_user',
  created_at: new Date(TIME_MS),
  updated_at: new Date(TIME_MS),
};

function catalogueOf(markets: readonly [number, MarketEntry][]): Catalogue {
  const marketsById: ReadonlyMap<number, MarketEntry> = new Map(markets);
  return { now: { marketsById } } as Catalogue;
}

type Tables = 'there' | 'behind' | 'broken' | 'silent';

/** Timeouts that never succeed elapse immediately. */
function makeDependencies(tables: Tables): { dependencies: Dependencies; queries: unknown[] } {
  const queries: unknown[] = [];
  const bus = { publish: () => {}, subscribe: () => ({ stop: () => {} }) };
  const dependencies = {
    orders: new OrderMemory({ bus, exchange: 'x', ordersMax: 10 }),
    catalogue: catalogueOf([[1, MARKET]]),
    clock: {
      after: (_ms: number, act: () => void) => {
        if (tables === 'silent') queueMicrotask(act);
        return { cancel: () => {} };
      },
    } as Clock,
    fresh: { untilFrame: async (_frame: number) => tables !== 'behind' } as FreshReads,
    log: { warn: (_fields: object) => {} } as Logger,
    projections: {
      query: (_text: string, values: unknown) => {
        queries.push(values);
        if (tables === 'silent') return new Promise(() => {});
        return tables === 'broken'
          ? Promise.reject(new Error('Connection terminated'))
          : Promise.resolve({ rows: [ROW] });
      },
    } as Pool,
  } as Dependencies;
  return { dependencies, queries };
}

function accepted(events: readonly Event[], more: Partial<Accepted> = {}): Accepted {
  return {
    kind: 'accepted',
    command: 10,
    frame: 5,
    timeMs: TIME_MS,
    events,
    hasAllEvents: true,
    ...more,
  } as Accepted;
}

function closedWith(remainingLots: number): OrderClosed {
  return {
    kind: 'OrderClosed',
    command: 11,
    order: 10,
    user: 7,
    market: 1,
    heldAsset: 2,
    reason: 'canceled_by_user',
    remainingLots,
  } as OrderClosed;
}

const ALL_FIELDS = [
  'id',
  'side',
  'symbol',
  'type',
  'size',
  'price',
  'stop',
  'filled',
  'average',
  'fee',
  'fee_coin',
  'status',
  'meta',
  'fee_structure',
  'client_order_id',
  'close_reason',
  'created_by',
  'created_at',
  'updated_at',
];

test('a newly placed order needs no table, nor does its cancellation', async () => {
  const { queries, dependencies } = makeDependencies('broken');
  const placed = JSON.parse(await placedOrderJson(dependencies, accepted([PLACED])));
  assert.deepEqual([placed.status, placed.size, placed.filled], ['new', 0.01, 0]);
  const event = closedWith(100);
  const [text] = await closedOrdersJson(dependencies, accepted([event]), [event]);
  const canceled = JSON.parse(text);
  assert.deepEqual(Object.keys(canceled), ALL_FIELDS);
  assert.deepEqual([canceled.status, canceled.filled], ['canceled', 0]);
  assert.deepEqual(queries, []);
  assert.equal(dependencies.orders.size, 0);
});

test('an order with later fills is read from the tables', async () => {
  const { queries, dependencies } = makeDependencies('there');
  await placedOrderJson(dependencies, accepted([PLACED]));
  const event = closedWith(60);
  const [text] = await closedOrdersJson(dependencies, accepted([event]), [event]);
  const { average, fee, filled, status } = JSON.parse(text);
  assert.deepEqual([status, filled, average, fee], ['canceled', 0.004, 60_000, 0.000004]);
  assert.deepEqual(queries, [[[10]]]);
});

for (const tables of ['behind', 'broken', 'silent'] as const) {
  test(`while tables are ${tables}, a cancel returns the acknowledged fields`, async () => {
    const { dependencies } = makeDependencies(tables);
    await placedOrderJson(dependencies, accepted([PLACED]));
    const event = closedWith(60);
    const [text] = await closedOrdersJson(dependencies, accepted([event]), [event]);
    const order = JSON.parse(text);
    const known = ALL_FIELDS.filter((field) => field !== 'average' && field !== 'fee');
    assert.deepEqual(Object.keys(order).sort(), known.sort());
    assert.deepEqual([order.status, order.size, order.filled], ['canceled', 0.01, 0.004]);
  });

  test(`while the tables are ${tables}, an order placed elsewhere has few fields`, async () => {
    const { dependencies } = makeDependencies(tables);
    const event = closedWith(60);
    const [text] = await closedOrdersJson(dependencies, accepted([event]), [event]);
    assert.deepEqual(JSON.parse(text), {
      id: '00000000-0000-810a-8000-000000000000',
      side: 'buy',
      symbol: 'btc-usdt',
      fee_coin: 'btc',
      created_by: 7,
      status: 'canceled',
      close_reason: 'canceled_by_user',
      updated_at: '2026-01-05T10:00:00.000Z',
    });
  });

  test(`while the tables are ${tables}, an order without events has its id`, async () => {
    const { dependencies } = makeDependencies(tables);
    const without = accepted([], { hasAllEvents: false });
    assert.deepEqual(JSON.parse(await placedOrderJson(dependencies, without)), {
      id: '00000000-0000-810a-8000-000000000000',
      updated_at: '2026-01-05T10:00:00.000Z',
    });
    const canceled = JSON.parse(await canceledOrderJson(dependencies, without, 10 as OrderNumber));
    assert.equal(canceled.status, 'canceled');
  });
}

test('an order in a market that is not in memory yet gets a response too', async () => {
  const { dependencies } = makeDependencies('there');
  const unlisted = { ...dependencies, catalogue: catalogueOf([]) };
  const placed = JSON.parse(await placedOrderJson(unlisted, accepted([PLACED])));
  assert.deepEqual(placed, {
    id: '00000000-0000-810a-8000-000000000000',
    updated_at: '2026-01-05T10:00:00.000Z',
  });
  const event = closedWith(100);
  const [text] = await closedOrdersJson(unlisted, accepted([event]), [event]);
  assert.equal(JSON.parse(text).status, 'canceled');
});

test('orders are read if a result has no events, such as after a leader change', async () => {
  const { queries, dependencies } = makeDependencies('there');
  const without = accepted([], { hasAllEvents: false });
  assert.deepEqual(
    Object.keys(JSON.parse(await placedOrderJson(dependencies, without))),
    ALL_FIELDS,
  );
  const canceled = JSON.parse(await canceledOrderJson(dependencies, without, 10 as OrderNumber));
  assert.deepEqual([canceled.status, canceled.filled], ['canceled', 0.004]);
  assert.equal(queries.length, 2);
});
