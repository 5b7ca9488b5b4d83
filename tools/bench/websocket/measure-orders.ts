// Measures from the engine's response to every socket: orders at a steady pace, all at one price,
// so the best bid's size shows how many of them a book has.

import { setTimeout as delay } from 'node:timers/promises';
import type { KeyId, Lots, OrderNumber, Ticks, TimeMs } from '../../../core/money/index.ts';
import { percentile } from '../../percentile.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { SYMBOL } from './book-source.ts';
import { monotonicMs } from './loader/orders.ts';
import type { Loaders, Target } from './loaders.ts';

const SOCKETS = 1_000;
const ORDERS_PER_SECOND = 500;
const TURN_MS = 10;
const WARM_UP_MS = 1_500;
const SETTLED_AFTER_MS = 1_000;
const LOTS_PER_UNIT = 10_000;
const PRICE_TICKS = 5_900_000;

export async function measureOrders(
  sandbox: Sandbox,
  loaders: Loaders,
  { forMs, gateway }: { readonly gateway: Target; readonly forMs: number },
): Promise<Record<string, unknown>> {
  const [trader] = await sandbox.createTraders({ count: 1, funds: { usdt: '10000000' } });
  const message = `{"op":"subscribe","args":["orderbook:${SYMBOL}"]}`;
  await loaders.open({ ...gateway, count: SOCKETS, message, reading: 'quick' });
  /** When the engine accepted each order, by order number. */
  const ackMs: number[] = [0];
  const place = async () => {
    await sandbox.admin.apply({
      kind: 'PlaceOrder',
      user: trader.user,
      key: trader.id as KeyId,
      side: 'buy',
      market: sandbox.seeded.markets.get(SYMBOL)!,
      type: 'limit',
      postOnly: false,
      timeInForce: 'GTC',
      selfTrade: 'cancel_newest',
      sizeLots: 1 as Lots,
      priceTicks: PRICE_TICKS as Ticks,
      stopTicks: 0 as Ticks,
      clientOrderId: '',
      note: '',
      trigger: 'stop',
      linkedOrder: 0 as OrderNumber,
      expiresMs: 0 as TimeMs,
    });
    ackMs.push(monotonicMs());
  };
  await placeFor(WARM_UP_MS, place);
  const first = ackMs.length;
  loaders.note();
  await placeFor(forMs, place);
  await delay(SETTLED_AFTER_MS);
  const { bySocket } = await loaders.finish();
  await loaders.close();
  const [newest, each] = [[] as number[], [] as number[]];
  for (const notes of bySocket.values()) {
    let before = first;
    for (const [size, atMs] of notes) {
      const count = Math.round(size * LOTS_PER_UNIT);
      // The engine's response can arrive here later than the book; then the latency is zero.
      if (count >= first) newest.push(Math.max(0, atMs - ackMs[count]));
      for (let at = before + 1; at <= count; at += 1) each.push(Math.max(0, atMs - ackMs[at]));
      before = Math.max(before, count);
    }
  }
  return {
    ordersPerSecond: Math.round(((ackMs.length - first) / forMs) * 1_000),
    booksHeard: newest.length,
    bookLatencyP50Ms: percentile(newest, 50),
    bookLatencyP99Ms: percentile(newest, 99),
    // Includes the delay until the next book, which is sent at most every 50 ms.
    orderLatencyP50Ms: percentile(each, 50),
    orderLatencyP99Ms: percentile(each, 99),
  };
}

async function placeFor(forMs: number, place: () => Promise<void>): Promise<void> {
  const beganMs = performance.now();
  const placing: Promise<void>[] = [];
  for (;;) {
    const goneMs = performance.now() - beganMs;
    if (goneMs >= forMs) break;
    const due = Math.floor((goneMs / 1_000) * ORDERS_PER_SECOND);
    while (placing.length < due) placing.push(place());
    await delay(TURN_MS);
  }
  await Promise.all(placing);
}
