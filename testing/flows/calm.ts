// Calm: a quiet day in three markets. Mostly limit orders that rest near the middle, some cancels,
// crosses and amends, and now and then the money and fee commands of an ordinary day.

import { Desk, type Flow } from './desk.ts';
import { awayFrom, coin, DEPOSITS, order, type Plan, setUp, USDT, usualMarket } from './set-up.ts';

const USERS = Array.from({ length: 24 }, (_, index) => index + 1);
const OPEN_ORDERS_WANTED = 120;

const PLAN: Plan = {
  assets: [USDT, coin('btc'), coin('eth')],
  markets: [
    usualMarket({ market: 1, base: 2, quote: 1 }),
    usualMarket({ market: 2, base: 3, quote: 1 }, { middleTicks: 2_500, referenceTicks: 0 }),
    usualMarket({ market: 3, base: 3, quote: 2 }, { tickScale: 4, middleTicks: 500 }),
  ],
  users: USERS,
};

export function* calm(seed: number): Flow {
  const desk = new Desk(seed);
  yield* setUp(desk, PLAN);
  for (;;) {
    const commands = desk.random.between(1, 24);
    for (let sent = 0; sent < commands; sent += 1) sendOne(desk);
    yield* desk.publish(desk.random.between(0, 400));
  }
}

function sendOne(desk: Desk): void {
  const { random } = desk;
  // More cancels the fuller the books are: their size stays about the same.
  const cancelPercent = (40 * desk.orders.count) / OPEN_ORDERS_WANTED;
  if (random.chance(Math.min(cancelPercent, 90))) {
    cancelOne(desk);
    return;
  }
  const dice = random.below(100);
  if (dice < 68) sendOrder(desk, random.between(1, 12));
  else if (dice < 80) sendOrder(desk, -random.between(0, 6));
  else if (dice < 90) amendOne(desk);
  else if (dice < 94) sendMarketOrder(desk);
  else if (dice < 96) sendQuote(desk);
  else sendHousekeeping(desk);
}

function sendOrder(desk: Desk, ticksAway: number): void {
  const { random } = desk;
  const plan = random.pick(PLAN.markets);
  const middleTicks = desk.lastPriceOf(plan.market, plan.middleTicks);
  const side = random.chance(50) ? 'buy' : 'sell';
  desk.send(
    order({
      user: random.pick(USERS),
      key: random.below(3),
      market: plan.market,
      side,
      priceTicks: awayFrom(middleTicks, side, ticksAway, plan),
      sizeLots: random.between(1, 500),
      postOnly: random.chance(8),
      clientOrderId: random.chance(20) ? `c${random.below(5_000)}` : '',
    }),
  );
}

function sendMarketOrder(desk: Desk): void {
  const { random } = desk;
  desk.send(
    order({
      user: random.pick(USERS),
      market: random.pick(PLAN.markets).market,
      side: random.chance(50) ? 'buy' : 'sell',
      type: 'market',
      timeInForce: 'IOC',
      sizeLots: random.between(1, 900),
    }),
  );
}

function sendQuote(desk: Desk): void {
  const { random } = desk;
  const { market, middleTicks } = random.pick(PLAN.markets);
  const sizeLots = random.between(1, 300);
  const aboutTicks = desk.lastPriceOf(market, middleTicks) + random.between(-2, 4);
  desk.send({
    kind: 'ExecuteQuote',
    user: random.pick(USERS),
    key: 0,
    market,
    side: random.chance(50) ? 'buy' : 'sell',
    sizeLots,
    quoteAtoms: BigInt(aboutTicks) * BigInt(sizeLots),
    expiresAtMs: desk.timeMs + random.between(-50, 900),
    clientOrderId: `q${random.word()}`,
  });
}

function cancelOne(desk: Desk): void {
  const seen = desk.orders.pick(desk.random);
  if (seen === undefined) return;
  const { order: number, user } = seen;
  desk.send({ kind: 'CancelOrder', user, order: number, byOperator: false });
}

function amendOne(desk: Desk): void {
  const { random } = desk;
  const seen = desk.orders.pick(random);
  if (seen === undefined) return;
  const isResized = random.chance(60);
  desk.send({
    kind: 'AmendOrder',
    user: seen.user,
    order: seen.order,
    priceTicks: random.chance(60) ? seen.priceTicks + random.between(-3, 3) : 0,
    sizeLots: isResized ? Math.max(1, seen.sizeLots + random.between(-100, 60)) : 0,
  });
}

function sendHousekeeping(desk: Desk): void {
  const { random } = desk;
  const user = random.pick(USERS);
  const asset = random.between(1, PLAN.assets.length);
  const amountAtoms = BigInt(random.between(1, 1_000_000));
  const dice = random.below(5);
  if (dice === 0) {
    desk.sendFrom(DEPOSITS, { kind: 'CreditDeposit', user, asset, amountAtoms, reference: 'more' });
  } else if (dice === 1) {
    desk.sendFrom(DEPOSITS, { kind: 'SettleFees', user, asset });
  } else if (dice === 2) {
    const parties = { sender: user, receiver: random.pick(USERS) };
    const reference = 'between friends';
    desk.sendFrom(2, { kind: 'TransferAsset', ...parties, asset, amountAtoms, reference });
  } else if (dice === 3) {
    const discountPpm = random.below(11) * 100_000;
    desk.send({ kind: 'SetUserFees', user, tier: random.below(4), discountPpm });
  } else {
    desk.send({ kind: 'CancelAllOrders', user, market: random.below(4), byOperator: false });
  }
}
