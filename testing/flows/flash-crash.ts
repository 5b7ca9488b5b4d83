// Flash crash: many stops below and above the price, then one large order triggers them. Bands have
// small windows and a step activates few stops, so ready queues persist over many frames.

import { INITIAL_LIMITS, RULES_VERSION_MAX, type TimeInForce } from '../../core/messages/index.ts';
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

const USERS = Array.from({ length: 16 }, (_, index) => index + 1);
const TIMES_IN_FORCE: readonly TimeInForce[] = ['GTC', 'IOC', 'FOK'];

const PLAN: Plan = {
  assets: [USDT, coin('btc'), coin('gold')],
  markets: [
    usualMarket({ market: 1, base: 2, quote: 1 }),
    usualMarket({ market: 2, base: 3, quote: 1 }, { middleTicks: 800, referenceTicks: 800 }),
  ],
  users: USERS,
};

export function* flashCrash(seed: number): Flow {
  const sender = new FlowSender(seed);
  yield* setUp(sender, PLAN);
  for (;;) {
    configure(sender);
    yield* sender.publish(10);
    const buildUpFrames = sender.random.between(4, 12);
    for (let frame = 0; frame < buildUpFrames; frame += 1) {
      for (let sent = 0; sent < 10; sent += 1) buildUp(sender);
      yield* sender.publish(sender.random.between(0, 30));
    }
    const crashFrames = sender.random.between(2, 10);
    for (let frame = 0; frame < crashFrames; frame += 1) {
      crash(sender);
      yield* sender.publish(sender.random.between(0, 200));
    }
    // Time passes. The ready queues continue without any command.
    const quietFrames = sender.random.between(0, 6);
    for (let frame = 0; frame < quietFrames; frame += 1) yield* sender.publish(150);
    tidyUp(sender);
    yield* sender.publish(sender.random.between(0, 2_000));
  }
}

function configure(sender: FlowSender): void {
  const { random } = sender;
  if (random.chance(25)) sender.send({ kind: 'SetRulesVersion', version: RULES_VERSION_MAX });
  sender.send({
    kind: 'SetLimits',
    ...INITIAL_LIMITS,
    fillsPerCommandMax: random.pick([1, 3, 8, 50]),
    stopsPerStepMax: random.pick([1, 2, 4, 20]),
    switchesPerFrameMax: random.pick([1, 2]),
    bandWindowMs: random.pick([1, 100, 500, 5_000]),
  });
  for (const plan of PLAN.markets) {
    const lastTicks = sender.lastPriceOf(plan.market, plan.middleTicks);
    sender.send({
      kind: 'SetPriceBand',
      market: plan.market,
      bandPpm: random.pick([0, 10_000, 50_000, 100_000, 300_000]),
      slippagePpm: random.pick([0, 5_000, 30_000, 200_000]),
      referenceTicks: random.pick([0, lastTicks, plan.middleTicks]),
    });
  }
}

function buildUp(sender: FlowSender): void {
  const { random } = sender;
  const plan = random.pick(PLAN.markets);
  const lastTicks = tradingTicks(sender, plan);
  const side = random.chance(50) ? 'buy' : 'sell';
  const user = random.pick(USERS);
  const farTicks = random.between(1, Math.max(2, Math.floor(lastTicks / 12)));
  if (random.chance(55)) {
    const priceTicks = awayFrom(lastTicks, side, farTicks, plan);
    const sizeLots = random.between(1, 60);
    sender.send(order({ user, market: plan.market, side, priceTicks, sizeLots }));
    return;
  }
  const link = linkTerms(sender, plan.market);
  const stopSide = link?.side ?? side;
  const stop = stopTerms(random, { lastTicks, side: stopSide, ticks: farTicks, plan });
  const isMarket = random.chance(45);
  const timeInForce = isMarket ? random.pick(['IOC', 'FOK'] as const) : random.pick(TIMES_IN_FORCE);
  const limitTicks = awayFrom(stop.stopTicks, side, -random.between(-5, 25), plan);
  sender.send(
    order({
      user,
      key: random.below(3),
      market: plan.market,
      side,
      type: isMarket ? 'market' : 'limit',
      timeInForce,
      selfTrade: random.pick(['cancel_newest', 'cancel_oldest', 'cancel_both', 'off']),
      priceTicks: isMarket ? 0 : limitTicks,
      sizeLots: random.between(1, 40),
      ...stop,
      ...link,
      expiresMs: anyExpiryMs(sender),
    }),
  );
}

/** Returns a plausible price: the last one, unless it is absurd. */
function tradingTicks(sender: FlowSender, { market, middleTicks }: MarketPlan): number {
  const lastTicks = sender.lastPriceOf(market, middleTicks);
  const isReasonable = lastTicks > middleTicks / 3 && lastTicks < middleTicks * 3;
  return isReasonable ? lastTicks : middleTicks;
}

function crash(sender: FlowSender): void {
  const { random } = sender;
  const plan = random.pick(PLAN.markets);
  const side = random.chance(70) ? 'sell' : 'buy';
  sender.send(
    order({
      user: random.pick(USERS),
      market: plan.market,
      side,
      type: 'market',
      timeInForce: random.chance(90) ? 'IOC' : 'FOK',
      sizeLots: random.between(20, 2_000),
    }),
  );
  const seen = sender.orders.pick(random);
  if (seen !== undefined && random.chance(30)) {
    const { user, order: number } = seen;
    if (random.chance(50))
      sender.send({ kind: 'CancelOrder', user, order: number, byOperator: true });
    else {
      const stopTicks = amendedStopTicks(random, seen);
      const change = { priceTicks: 0, sizeLots: 7, stopTicks };
      sender.send({ kind: 'AmendOrder', user, order: number, ...change });
    }
  }
  if (random.chance(8)) {
    const status = random.pick(['full', 'full', 'post-only', 'paused'] as const);
    sender.send({ kind: 'SetMarketStatus', market: plan.market, status, auctionEndsMs: 0 });
  }
}

/** Reopens the markets, arms switches and cancels most of the remaining orders. */
function tidyUp(sender: FlowSender): void {
  const { random } = sender;
  for (const { market } of PLAN.markets)
    sender.send({ kind: 'SetMarketStatus', market, status: 'full', auctionEndsMs: 0 });
  for (const user of USERS) {
    const dice = random.below(10);
    if (dice < 5) {
      sender.send({ kind: 'CancelAllOrders', user, market: random.below(3), byOperator: false });
    } else if (dice < 8) {
      const timeoutMs = random.pick([0, 1_000, 1_000, 3_000]);
      sender.send({ kind: 'SetDeadManSwitch', user, key: random.below(3), timeoutMs });
    }
  }
}
