// Cancelling: what market makers do all day. Of the orders that leave the book, about 95 % are
// cancelled: one by one, by client order id, all at once, by an operator, twice, or too late.

import { INITIAL_LIMITS } from '../../core/messages/index.ts';
import { Desk, type Flow } from './desk.ts';
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
  const desk = new Desk(seed);
  yield* setUp(desk, PLAN);
  let clientOrderIds = 0;
  for (;;) {
    const commands = desk.random.between(1, 40);
    for (let sent = 0; sent < commands; sent += 1) {
      if (desk.random.chance(1)) desk.sendAgain(desk.random.between(1, 1_100));
      const isRoom = desk.orders.count < OPEN_ORDERS_WANTED;
      if (desk.random.chance(isRoom ? 70 : 15)) {
        clientOrderIds += 1;
        sendOrder(desk, `m${clientOrderIds}`);
      } else {
        cancel(desk);
      }
    }
    yield* desk.publish(desk.random.between(0, 20));
  }
}

function sendOrder(desk: Desk, clientOrderId: string): void {
  const { random } = desk;
  const [plan] = PLAN.markets;
  const side = random.chance(50) ? 'buy' : 'sell';
  const isCross = random.chance(4);
  // Now and then an id that is about to be forgotten, or has just been.
  const window = INITIAL_LIMITS.clientOrderIdWindow;
  const old = random.chance(3)
    ? desk.orders.closedWithIdAgo(window + random.between(-8, 8))
    : undefined;
  const ownId = random.chance(50) ? clientOrderId : '';
  const ticks = isCross ? -SPREAD_TICKS - 3 : random.between(SPREAD_TICKS, SPREAD_TICKS + 20);
  desk.send(
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

function cancel(desk: Desk): void {
  const { random } = desk;
  const isLate = random.chance(6);
  const seen = isLate ? desk.orders.pickClosed(random) : desk.orders.pick(random);
  if (seen === undefined) return;
  if (random.chance(1)) {
    const { user, market } = seen;
    desk.send({ kind: 'CancelAllOrders', user, market, byOperator: random.chance(20) });
  } else {
    cancelSeen(desk, seen);
  }
}

function cancelSeen(desk: Desk, seen: SeenOrder): void {
  const { user, order: number, clientOrderId } = seen;
  if (clientOrderId !== '' && desk.random.chance(50)) {
    desk.send({ kind: 'CancelOrderByClientId', user, clientOrderId });
  } else {
    desk.send({ kind: 'CancelOrder', user, order: number, byOperator: desk.random.chance(3) });
  }
}
