// Canceling: market maker traffic. About 95% of the orders that leave the book are canceled: one by
// one, by client order ID, all together, by an operator, twice, or too late.

import { INITIAL_LIMITS } from '../../core/messages/index.ts';
import { type Flow, FlowSender } from './flow-sender.ts';
import type { SeenOrder } from './open-orders.ts';
import { awayFrom, coin, order, type Plan, setUp, USDT, usualMarket } from './set-up.ts';

const USERS = Array.from({ length: 8 }, (_, index) => 100 + index);
const OPEN_ORDERS_WANTED = 80;
const SPREAD_TICKS = 4;

const PLAN: Plan = {
  assets: [USDT, coin('btc')],
  markets: [usualMarket({ market: 1, base: 2, quote: 1 })],
  users: USERS,
};

export function* cancelling(seed: number): Flow {
  const sender = new FlowSender(seed);
  yield* setUp(sender, PLAN);
  let clientOrderIds = 0;
  for (;;) {
    const commands = sender.random.between(1, 40);
    for (let sent = 0; sent < commands; sent += 1) {
      if (sender.random.chance(1)) sender.sendAgain(sender.random.between(1, 1_100));
      const isRoom = sender.orders.count < OPEN_ORDERS_WANTED;
      if (sender.random.chance(isRoom ? 70 : 15)) {
        clientOrderIds += 1;
        sendOrder(sender, `m${clientOrderIds}`);
      } else {
        cancel(sender);
      }
    }
    yield* sender.publish(sender.random.between(0, 20));
  }
}

function sendOrder(sender: FlowSender, clientOrderId: string): void {
  const { random } = sender;
  const [plan] = PLAN.markets;
  const side = random.chance(50) ? 'buy' : 'sell';
  const isCross = random.chance(4);
  // Sometimes an ID that is about to leave the window or has just left it.
  const window = INITIAL_LIMITS.clientOrderIdWindow;
  const old = random.chance(3)
    ? sender.orders.closedWithIdAgo(window + random.between(-8, 8))
    : undefined;
  const ownId = random.chance(50) ? clientOrderId : '';
  const ticks = isCross ? -SPREAD_TICKS - 3 : random.between(SPREAD_TICKS, SPREAD_TICKS + 20);
  sender.send(
    order({
      user: old?.user ?? random.pick(USERS),
      market: plan.market,
      side,
      priceTicks: awayFrom(plan.middleTicks, side, ticks, plan),
      sizeLots: isCross ? random.between(1, 20) : random.between(1, 300),
      postOnly: !isCross && random.chance(60),
      timeInForce: isCross ? 'IOC' : 'GTC',
      clientOrderId: old?.clientOrderId ?? ownId,
    }),
  );
}

function cancel(sender: FlowSender): void {
  const { random } = sender;
  const isLate = random.chance(6);
  const seen = isLate ? sender.orders.pickClosed(random) : sender.orders.pick(random);
  if (seen === undefined) return;
  if (random.chance(1)) {
    const { user, market } = seen;
    sender.send({ kind: 'CancelAllOrders', user, market, byOperator: random.chance(20) });
  } else {
    cancelSeen(sender, seen);
  }
}

function cancelSeen(sender: FlowSender, seen: SeenOrder): void {
  const { user, order: number, clientOrderId } = seen;
  if (clientOrderId !== '' && sender.random.chance(50)) {
    sender.send({ kind: 'CancelOrderByClientId', user, clientOrderId });
  } else {
    sender.send({ kind: 'CancelOrder', user, order: number, byOperator: sender.random.chance(3) });
  }
}
