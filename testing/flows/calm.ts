// Calm: a quiet day in three markets. Mostly limit orders that rest near the middle, some cancels,
// crosses and amends, and occasionally the money and fee commands of an ordinary day.

import { type Flow, FlowSender } from './flow-sender.ts';
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
  const sender = new FlowSender(seed);
  yield* setUp(sender, PLAN);
  for (;;) {
    const commands = sender.random.between(1, 24);
    for (let sent = 0; sent < commands; sent += 1) sendOne(sender);
    yield* sender.publish(sender.random.between(0, 400));
  }
}

function sendOne(sender: FlowSender): void {
  const { random } = sender;
  // Cancels increase with the number of open orders, so the book size is about constant.
  const cancelPercent = (40 * sender.orders.count) / OPEN_ORDERS_WANTED;
  if (random.chance(Math.min(cancelPercent, 90))) {
    cancelOne(sender);
    return;
  }
  const dice = random.below(100);
  if (dice < 68) sendOrder(sender, random.between(1, 12));
  else if (dice < 80) sendOrder(sender, -random.between(0, 6));
  else if (dice < 90) amendOne(sender);
  else if (dice < 94) sendMarketOrder(sender);
  else if (dice < 96) sendQuote(sender);
  else sendHousekeeping(sender);
}

function sendOrder(sender: FlowSender, ticksAway: number): void {
  const { random } = sender;
  const plan = random.pick(PLAN.markets);
  const middleTicks = sender.lastPriceOf(plan.market, plan.middleTicks);
  const side = random.chance(50) ? 'buy' : 'sell';
  sender.send(
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

function sendMarketOrder(sender: FlowSender): void {
  const { random } = sender;
  sender.send(
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

function sendQuote(sender: FlowSender): void {
  const { random } = sender;
  const { market, middleTicks } = random.pick(PLAN.markets);
  const sizeLots = random.between(1, 300);
  const aboutTicks = sender.lastPriceOf(market, middleTicks) + random.between(-2, 4);
  sender.send({
    kind: 'ExecuteQuote',
    user: random.pick(USERS),
    key: 0,
    market,
    side: random.chance(50) ? 'buy' : 'sell',
    sizeLots,
    quoteAtoms: BigInt(aboutTicks) * BigInt(sizeLots),
    expiresAtMs: sender.timeMs + random.between(-50, 900),
    clientOrderId: `q${random.word()}`,
  });
}

function cancelOne(sender: FlowSender): void {
  const seen = sender.orders.pick(sender.random);
  if (seen === undefined) return;
  const { order: number, user } = seen;
  sender.send({ kind: 'CancelOrder', user, order: number, byOperator: false });
}

function amendOne(sender: FlowSender): void {
  const { random } = sender;
  const seen = sender.orders.pick(random);
  if (seen === undefined) return;
  const isResized = random.chance(60);
  sender.send({
    kind: 'AmendOrder',
    user: seen.user,
    order: seen.order,
    priceTicks: random.chance(60) ? seen.priceTicks + random.between(-3, 3) : 0,
    sizeLots: isResized ? Math.max(1, seen.sizeLots + random.between(-100, 60)) : 0,
    stopTicks: 0,
  });
}

function sendHousekeeping(sender: FlowSender): void {
  const { random } = sender;
  const user = random.pick(USERS);
  const asset = random.between(1, PLAN.assets.length);
  const amountAtoms = BigInt(random.between(1, 1_000_000));
  const dice = random.below(5);
  if (dice === 0) {
    sender.sendFrom(DEPOSITS, {
      kind: 'CreditDeposit',
      user,
      asset,
      amountAtoms,
      reference: 'more',
    });
  } else if (dice === 1) {
    sender.sendFrom(DEPOSITS, { kind: 'SettleFees', user, asset });
  } else if (dice === 2) {
    const parties = { sender: user, receiver: random.pick(USERS) };
    const reference = 'between friends';
    sender.sendFrom(2, { kind: 'TransferAsset', ...parties, asset, amountAtoms, reference });
  } else if (dice === 3) {
    const discountPpm = random.below(11) * 100_000;
    sender.send({ kind: 'SetUserFees', user, tier: random.below(4), discountPpm });
  } else {
    sender.send({ kind: 'CancelAllOrders', user, market: random.below(4), byOperator: false });
  }
}
