// Raising a capacity is a short pause, however many orders are open: it is timed against a
// snapshot and a restore of the same exchange, which visit every order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FlowSender } from '../../testing/flows/flow-sender.ts';
import { coin, order, setUp, USDT, usualMarket } from '../../testing/flows/set-up.ts';
import { INITIAL_LIMITS } from '../messages/index.ts';
import { applyFrame } from './apply-frame.ts';
import { createExchange } from './create-exchange.ts';
import { restoreExchange } from './restore.ts';
import { snapshotExchange } from './snapshot.ts';

const ORDERS = 200_000;
const ROUNDS = 5;
/** Measured: 0.05. With a snapshot and a restore for every raised capacity: 1.0. */
const RATIO_MAX = 0.3;

const exchange = createExchange({
  ...INITIAL_LIMITS,
  ordersMax: ORDERS,
  ordersPerUserMax: ORDERS,
  commandWindow: ORDERS,
  clientOrderIdWindow: ORDERS,
});
const sender = new FlowSender(1);

function drive(flow: ReturnType<FlowSender['publish']>): void {
  let step = flow.next();
  while (step.done !== true) step = flow.next(applyFrame(exchange, step.value));
}

function fastest(work: () => void): number {
  let fastestMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round += 1) {
    const startMs = performance.now();
    work();
    fastestMs = Math.min(fastestMs, performance.now() - startMs);
  }
  return fastestMs;
}

test('a raised capacity costs a fraction of a rebuild, with 200,000 open orders', () => {
  const markets = [usualMarket({ market: 1, base: 2, quote: 1 })];
  drive(setUp(sender, { assets: [USDT, coin('btc')], markets, users: [1] }));
  for (let number = 0; number < ORDERS; number += 1) {
    const priceTicks = 10_000 + (number % 5_000);
    const clientOrderId = `order-${number}`;
    sender.send(
      order({ user: 1, market: 1, side: 'sell', sizeLots: 1, priceTicks, clientOrderId }),
    );
    if (number % 100 === 99) drive(sender.publish(1));
  }
  assert.equal(exchange.books.orders.size, ORDERS);
  const rebuildMs = fastest(() => restoreExchange(snapshotExchange(exchange)));
  const growMs = fastest(() => {
    const { limits } = exchange;
    const ordersMax = limits.ordersMax + 1_000;
    sender.send({ kind: 'SetLimits', ...limits, ordersMax });
    drive(sender.publish(1));
    assert.equal(exchange.limits.ordersMax, ordersMax);
  });
  assert.ok(growMs < rebuildMs * RATIO_MAX, `${growMs} ms, and a rebuild ${rebuildMs} ms`);
});
