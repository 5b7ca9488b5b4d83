// Thin pairs: many markets with few orders each, users in groups, every self-trade mode, every time
// in force, quotes, direct trades, and constantly changing fees and statuses.

import {
  INITIAL_LIMITS,
  MARKET_STATUSES,
  RULES_VERSION_MAX,
  SELF_TRADE_MODES,
  TIMES_IN_FORCE,
} from '../../core/messages/index.ts';
import { type Flow, FlowSender } from './flow-sender.ts';
import {
  amendedStopTicks,
  anyExpiryMs,
  awayFrom,
  coin,
  DEPOSITS,
  linkTerms,
  type MarketPlan,
  order,
  type Plan,
  setUp,
  stopTerms,
  USDT,
  usualMarket,
} from './set-up.ts';

const USERS = Array.from({ length: 30 }, (_, index) => 1_000 + index * 7);
const ASSETS = [USDT, ...['btc', 'eth', 'xht', 'sol', 'ada', 'dot'].map(coin)];
const OPEN_ORDERS_WANTED = 90;
const DIRECT_TRADES = 3;

const PLAN: Plan = { assets: ASSETS, markets: listPairs(), users: USERS };

/** Lists every coin against usdt, and every coin against the coins before it. */
function listPairs(): MarketPlan[] {
  const markets: MarketPlan[] = [];
  for (let base = 2; base <= ASSETS.length; base += 1) {
    for (let quote = 1; quote < base; quote += 1) {
      const market = markets.length + 1;
      const middleTicks = 50 + 13 * market;
      const referenceTicks = market % 3 === 0 ? 0 : middleTicks;
      const tickScale = quote === 1 ? 2 : 4;
      const terms = { tickScale, middleTicks, referenceTicks, maxSizeLots: 5_000 };
      markets.push(usualMarket({ market, base, quote }, terms));
    }
  }
  return markets;
}

export function* thinPairs(seed: number): Flow {
  const sender = new FlowSender(seed);
  sender.send({ kind: 'SetLimits', ...INITIAL_LIMITS, marketsMax: 64 });
  sender.send({ kind: 'SetRulesVersion', version: RULES_VERSION_MAX });
  yield* setUp(sender, PLAN);
  // Without a reference price, the first trade sets it.
  for (const { market, middleTicks } of PLAN.markets) {
    const referenceTicks = market % 2 === 0 ? middleTicks : 0;
    const band = { bandPpm: 20_000, slippagePpm: 0, referenceTicks };
    sender.send({ kind: 'SetPriceBand', market, ...band });
  }
  for (const [index, user] of USERS.entries()) {
    const group = index % 2 === 0 ? 0 : 1 + (index % 5);
    sender.send({ kind: 'SetUserGroup', user, group, house: index % 11 === 0 });
  }
  yield* sender.publish(1);
  for (;;) {
    const commands = sender.random.between(1, 16);
    for (let sent = 0; sent < commands; sent += 1) sendOne(sender);
    yield* sender.publish(sender.random.between(0, 300));
  }
}

function sendOne(sender: FlowSender): void {
  const { random } = sender;
  const isFull = sender.orders.count > OPEN_ORDERS_WANTED;
  if (isFull && random.chance(40)) {
    const seen = sender.orders.pick(random);
    if (seen === undefined) return;
    const { user, order: number } = seen;
    sender.send({ kind: 'CancelOrder', user, order: number, byOperator: random.chance(10) });
    return;
  }
  const dice = random.below(100);
  // The first markets get more orders than the last, so some trade and others remain empty.
  const plan = PLAN.markets[Math.min(random.below(21), random.below(21))];
  if (dice < 76) sendOrder(sender, plan);
  else if (dice < 84) sendQuote(sender, plan);
  else if (dice < 90) sendDirectTrade(sender, plan);
  else if (dice < 95) amend(sender);
  else configure(sender, plan);
}

function sendOrder(sender: FlowSender, plan: MarketPlan): void {
  const { random } = sender;
  const side = random.chance(50) ? 'buy' : 'sell';
  const isMarket = random.chance(12);
  const isStop = random.chance(10);
  const lastTicks = sender.lastPriceOf(plan.market, plan.middleTicks);
  const nearTicks = random.between(-4, 8);
  const timeInForce = random.pick(TIMES_IN_FORCE);
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
      key: random.below(4),
      market: plan.market,
      side,
      type: isMarket ? 'market' : 'limit',
      timeInForce: isMarket && timeInForce === 'GTC' ? 'IOC' : timeInForce,
      selfTrade: random.pick(SELF_TRADE_MODES),
      postOnly: !isMarket && !isStop && timeInForce === 'GTC' && random.chance(40),
      priceTicks: isMarket ? 0 : awayFrom(lastTicks, side, nearTicks, plan),
      sizeLots: random.between(1, 50),
      ...stop,
      expiresMs: anyExpiryMs(sender),
      clientOrderId: random.chance(30) ? `t-${random.below(400)}` : '',
      note: random.chance(5) ? 'noted' : '',
    }),
  );
}

function sendQuote(sender: FlowSender, plan: MarketPlan): void {
  const { random } = sender;
  const side = random.chance(50) ? 'buy' : 'sell';
  const sizeLots = random.between(1, 20);
  const generousTicks = awayFrom(plan.middleTicks, side, -random.between(0, 40), plan);
  sender.send({
    kind: 'ExecuteQuote',
    user: random.pick(USERS),
    key: 0,
    market: plan.market,
    side,
    sizeLots,
    quoteAtoms: BigInt(generousTicks) * BigInt(sizeLots),
    expiresAtMs: sender.timeMs + random.between(-20, 2_000),
    clientOrderId: `q${random.below(100_000)}`,
  });
}

function sendDirectTrade(sender: FlowSender, plan: MarketPlan): void {
  const { random } = sender;
  sender.sendFrom(DIRECT_TRADES, {
    kind: 'TradeDirectly',
    market: plan.market,
    maker: random.pick(USERS),
    taker: random.pick(USERS),
    takerSide: random.chance(50) ? 'buy' : 'sell',
    priceTicks: plan.middleTicks,
    sizeLots: random.between(1, 300),
    makerFeePpm: random.pick([0, 1, 500, 500_000]),
    takerFeePpm: random.pick([0, 1, 500, 500_001]),
  });
}

function amend(sender: FlowSender): void {
  const { random } = sender;
  const seen = sender.orders.pick(random);
  if (seen === undefined) return;
  sender.send({
    kind: 'AmendOrder',
    user: random.chance(95) ? seen.user : random.pick(USERS),
    order: seen.order,
    priceTicks: random.chance(50) ? seen.priceTicks + random.between(-5, 5) : 0,
    sizeLots: random.chance(50) ? random.between(1, 60) : 0,
    stopTicks: amendedStopTicks(random, seen),
  });
}

function configure(sender: FlowSender, { market, middleTicks }: MarketPlan): void {
  const { random } = sender;
  const user = random.pick(USERS);
  const dice = random.below(7);
  if (dice === 0) {
    // Most of the time a market is open.
    const status = random.chance(60) ? 'full' : random.pick(MARKET_STATUSES);
    const isTimed = status === 'auction' && random.chance(70);
    const auctionEndsMs = isTimed ? sender.timeMs + random.between(1, 5_000) : 0;
    sender.send({ kind: 'SetMarketStatus', market, status, auctionEndsMs });
  } else if (dice === 1) {
    const rates = { makerPpm: random.below(5_000), takerPpm: random.below(500_001) };
    sender.send({ kind: 'SetMarketFees', market, tier: random.below(4), ...rates });
  } else if (dice === 2) {
    const discountPpm = random.below(1_000_001);
    sender.send({ kind: 'SetUserFees', user, tier: random.below(4), discountPpm });
  } else if (dice === 3) {
    sender.send({ kind: 'SetUserGroup', user, group: random.below(6), house: random.chance(10) });
  } else if (dice === 4) {
    const bandPpm = random.pick([0, 0, 50_000, 200_000, 900_000]);
    const slippagePpm = random.pick([0, 0, 20_000, 400_000]);
    const referenceTicks = random.pick([0, middleTicks]);
    sender.send({ kind: 'SetPriceBand', market, bandPpm, slippagePpm, referenceTicks });
  } else if (dice === 5) {
    sender.sendFrom(DEPOSITS, {
      kind: 'SettleFees',
      user,
      asset: random.between(1, ASSETS.length),
    });
  } else {
    const bandWindowMs = random.pick([1, 2_000, 60_000]);
    sender.send({ kind: 'SetLimits', ...INITIAL_LIMITS, marketsMax: 64, bandWindowMs });
  }
}
