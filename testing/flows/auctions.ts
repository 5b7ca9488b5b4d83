// Auctions: a few markets that halt, collect orders around one price and reopen, by time and by the
// operator. Small steps, so orders are canceled and statuses change while a market uncrosses.

import { INITIAL_LIMITS, RULES_VERSION_MAX, SELF_TRADE_MODES } from '../../core/messages/index.ts';
import { type Flow, FlowSender } from './flow-sender.ts';
import {
  amendedStopTicks,
  anyExpiryMs,
  awayFrom,
  coin,
  linkTerms,
  type MarketPlan,
  order,
  type Plan,
  setUp,
  stopTerms,
  USDT,
  usualMarket,
} from './set-up.ts';

const USERS = Array.from({ length: 12 }, (_, index) => 1 + index);
const OPEN_ORDERS_WANTED = 120;

const PLAN: Plan = {
  assets: [USDT, coin('btc'), coin('eth')],
  markets: [
    usualMarket({ market: 1, base: 2, quote: 1 }, { status: 'auction' }),
    usualMarket({ market: 2, base: 3, quote: 1 }, { referenceTicks: 0, middleTicks: 300 }),
  ],
  users: USERS,
};

export function* auctions(seed: number): Flow {
  const sender = new FlowSender(seed);
  const { random } = sender;
  const fillsPerCommandMax = random.pick([1, 2, 5, 50]);
  sender.send({ kind: 'SetLimits', ...INITIAL_LIMITS, fillsPerCommandMax, bandWindowMs: 900 });
  sender.send({ kind: 'SetRulesVersion', version: RULES_VERSION_MAX });
  yield* setUp(sender, PLAN);
  for (const user of USERS) {
    sender.send({ kind: 'SetUserGroup', user, group: user % 4 === 0 ? 7 : 0, house: false });
  }
  for (;;) {
    const commands = random.between(0, 14);
    for (let sent = 0; sent < commands; sent += 1) sendOne(sender);
    yield* sender.publish(random.between(0, 400));
  }
}

function sendOne(sender: FlowSender): void {
  const { random } = sender;
  const plan = random.pick(PLAN.markets);
  const dice = random.below(100);
  if (dice < 6) setStatus(sender, plan);
  else if (dice < 8) setBand(sender, plan);
  else if (dice < 22 || sender.orders.count > OPEN_ORDERS_WANTED) changeOrder(sender);
  else sendOrder(sender, plan);
}

function setStatus(sender: FlowSender, { market }: MarketPlan): void {
  const { random } = sender;
  const status = random.pick(['auction', 'auction', 'auction', 'full', 'full', 'paused'] as const);
  const isTimed = status === 'auction' && random.chance(60);
  const auctionEndsMs = isTimed ? sender.timeMs + random.pick([1, 500, 2_000, 604_900_000]) : 0;
  sender.send({ kind: 'SetMarketStatus', market, status, auctionEndsMs });
}

function setBand(sender: FlowSender, { market, middleTicks }: MarketPlan): void {
  const { random } = sender;
  const bandPpm = random.pick([0, 5_000, 30_000, 200_000]);
  const referenceTicks = random.pick([0, middleTicks]);
  sender.send({ kind: 'SetPriceBand', market, bandPpm, slippagePpm: 0, referenceTicks });
}

function changeOrder(sender: FlowSender): void {
  const { random } = sender;
  const seen = sender.orders.pick(random);
  if (seen === undefined) return;
  const { order: number, priceTicks, user } = seen;
  if (random.chance(60)) {
    sender.send({ kind: 'CancelOrder', user, order: number, byOperator: false });
    return;
  }
  const newTicks = random.chance(50) ? Math.max(priceTicks + random.between(-6, 6), 2) : 0;
  const sizeLots = random.chance(50) ? random.between(1, 40) : 0;
  const stopTicks = amendedStopTicks(random, seen);
  const change = { priceTicks: newTicks, sizeLots, stopTicks };
  sender.send({ kind: 'AmendOrder', user, order: number, ...change });
}

/** Orders are around the middle on both sides. In an auction most of them cross. */
function sendOrder(sender: FlowSender, plan: MarketPlan): void {
  const { random } = sender;
  const side = random.chance(50) ? 'buy' : 'sell';
  const lastTicks = sender.lastPriceOf(plan.market, plan.middleTicks);
  const isStop = random.chance(10);
  const isMarket = random.chance(3);
  const link = isStop ? linkTerms(sender, plan.market) : undefined;
  const stopSide = link?.side ?? side;
  const stopTicks = random.between(1, 9);
  const stop = isStop && {
    ...stopTerms(random, { lastTicks, side: stopSide, ticks: stopTicks, plan }),
    ...link,
  };
  sender.send(
    order({
      user: random.pick(USERS),
      market: plan.market,
      side,
      type: isMarket ? 'market' : 'limit',
      timeInForce: isMarket ? 'IOC' : random.chance(95) ? 'GTC' : 'FOK',
      selfTrade: random.pick(SELF_TRADE_MODES),
      postOnly: !isMarket && !isStop && random.chance(3),
      priceTicks: isMarket ? 0 : awayFrom(lastTicks, side, random.between(-8, 8), plan),
      sizeLots: random.between(1, 30),
      ...stop,
      expiresMs: anyExpiryMs(sender),
    }),
  );
}
