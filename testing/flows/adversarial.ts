// Adversarial: every kind of command, in markets whose sizes, prices and caps are at their limits,
// often with one spoiled field. Commands are repeated; sequences repeat and have gaps.

import {
  type Event,
  INITIAL_LIMITS,
  RULES_VERSION_MAX,
  SELF_TRADE_MODES,
  TIMES_IN_FORCE,
} from '../../core/messages/index.ts';
import type { CommandWithoutId } from '../reference-models/index.ts';
import {
  listingCommand,
  moneyCommand,
  operatorCommand,
  sendToTheAtom,
} from './adversarial-commands.ts';
import { spoil } from './extremes.ts';
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
} from './set-up.ts';

const LARGEST = 2n ** 62n;
const USERS = [1, 2, 3, 4, 5, 2 ** 31 - 1];
const OPEN_ORDERS_WANTED = 60;

/** Market between two assets without decimals: a tick of one lot is `lotAtoms × tickMantissa`. */
function undividedMarket(terms: Partial<MarketPlan> & Pick<MarketPlan, 'market'>): MarketPlan {
  return {
    base: 1,
    quote: 2,
    lotAtoms: 2n,
    tickMantissa: 1,
    tickScale: 0,
    minPriceTicks: 1,
    maxPriceTicks: 2 ** 20,
    minSizeLots: 1,
    maxSizeLots: 2 ** 20,
    referenceTicks: 0,
    status: 'full',
    middleTicks: 1_000,
    ...terms,
  };
}

const PLAN: Plan = {
  assets: [
    // Close to the largest ledger, without decimals.
    { symbol: 'dust', scale: 0, issuanceCapAtoms: LARGEST, fundsAtoms: LARGEST / 8n },
    { symbol: 'whole', scale: 0, issuanceCapAtoms: LARGEST, fundsAtoms: LARGEST / 8n },
    // Nearly the entire issuance cap is issued.
    { symbol: 'capped', scale: 2, issuanceCapAtoms: 60_005n, fundsAtoms: 10_000n },
    { ...USDT, fundsAtoms: 50_000_000n },
    { ...coin('btc'), fundsAtoms: 3_000_000n },
    { symbol: 'vast', scale: 0, issuanceCapAtoms: LARGEST, fundsAtoms: LARGEST / 8n },
  ],
  markets: [
    // Lots of two atoms at two atoms each: fees can take half of a fill.
    undividedMarket({ market: 1, maxPriceTicks: 4, middleTicks: 2, maxSizeLots: 1_000 }),
    // The largest order is exactly the largest amount.
    undividedMarket({ market: 2, base: 2, quote: 1, maxPriceTicks: 2 ** 41, maxSizeLots: 2 ** 20 }),
    undividedMarket({ market: 3, base: 3, quote: 4, lotAtoms: 100n, referenceTicks: 1_000 }),
    undividedMarket({
      market: 4,
      base: 5,
      quote: 4,
      lotAtoms: 10_000n,
      tickScale: 2,
      minPriceTicks: 2,
      minSizeLots: 3,
      maxSizeLots: 300,
      maxPriceTicks: 100_000,
      referenceTicks: 1_000,
    }),
    // One price only, and again the largest amount, on both sides.
    undividedMarket({
      market: 5,
      base: 6,
      quote: 2,
      lotAtoms: 2n ** 42n,
      maxPriceTicks: 1,
      middleTicks: 1,
    }),
  ],
  users: USERS,
};

export function* adversarial(seed: number): Flow {
  const sender = new FlowSender(seed);
  yield* setUp(sender, PLAN);
  sender.send({ kind: 'SetLimits', ...INITIAL_LIMITS, fillsPerCommandMax: 3, bandWindowMs: 1 });
  for (const { market } of PLAN.markets.slice(2, 4)) {
    const band = { bandPpm: 300_000, slippagePpm: 100_000, referenceTicks: 1_000 };
    sender.send({ kind: 'SetPriceBand', market, ...band });
  }
  mintToTheCap(sender);
  yield* sender.publish(1);
  for (;;) {
    const commands = sender.random.between(0, 12);
    for (let sent = 0; sent < commands; sent += 1) sendOne(sender);
    // Frame time can stall or go back; engine time never does.
    const step = sender.random.pick([0, 0, 1, 5, 700, 2_000, -3]);
    const events = yield* sender.publish(step, sender.random.pick([0, 0, 0, 0, 1, 1_500]));
    for (const event of events) answer(sender, event);
  }
}

/** Repeats poisoned commands, voids them, and reopens the markets. */
function answer(sender: FlowSender, event: Event): void {
  if (event.kind === 'CommandPoisoned') {
    sender.sendAgain(sender.random.between(1, 8));
    sender.send({ kind: 'VoidCommand', command: event.command });
  }
  if (event.kind !== 'CommandVoided') return;
  for (const { market } of PLAN.markets) {
    sender.send({ kind: 'SetMarketStatus', market, status: 'full', auctionEndsMs: 0 });
  }
}

/** Mints above, up to and beyond the cap. All but five atoms are already issued. */
function mintToTheCap(sender: FlowSender): void {
  for (const amountAtoms of [6n, 5n, 1n]) {
    const mint = { user: 1, asset: 3, amountAtoms, reference: 'the last' };
    sender.sendFrom(1, { kind: 'MintAsset', ...mint });
  }
}

function sendOne(sender: FlowSender): void {
  const { random } = sender;
  if (random.chance(2)) {
    const window = INITIAL_LIMITS.commandWindow;
    const ago = random.chance(50) ? window + random.between(-8, 8) : random.between(1, window);
    sender.sendAgain(ago);
    return;
  }
  if (random.chance(0.5)) {
    sendToTheAtom(sender);
    return;
  }
  // Never spoiled, because an exchange that cannot run a version stops.
  if (random.chance(0.2)) {
    sender.send({ kind: 'SetRulesVersion', version: random.pick([0, RULES_VERSION_MAX]) });
    return;
  }
  const isSpoiled = random.chance(30);
  const dice = random.below(100);
  if (dice < 16) {
    const body = moneyCommand(sender, USERS, PLAN.assets.length);
    if (!isSpoiled) sender.sendFrom(random.between(1, 3), body);
    else sendSpoiledFromChannel(sender, body as CommandWithoutId);
    return;
  }
  const body = dice < 70 ? orderCommand(sender) : dice < 86 ? orderChange(sender) : other(sender);
  if (body !== undefined) sender.send(isSpoiled ? spoil(random, body) : body);
}

function other(sender: FlowSender): CommandWithoutId {
  return sender.random.chance(25)
    ? listingCommand(sender, PLAN.assets.length)
    : operatorCommand(sender, USERS, PLAN.markets);
}

/** Sends on a separate channel, where it does not matter whether the sequence advances. */
function sendSpoiledFromChannel(sender: FlowSender, body: CommandWithoutId): void {
  const { random } = sender;
  if (random.chance(50)) {
    // The position is right, so the channel advances even if another field is wrong.
    sender.sendFrom(4, spoil(random, body) as never);
    return;
  }
  const position = { channel: 5, channelSequence: random.pick([0, 1, 2, 9]) };
  sender.send(spoil(random, Object.assign(body, position)));
}

function orderCommand(sender: FlowSender): CommandWithoutId {
  const { random } = sender;
  const plan = random.pick(PLAN.markets);
  const { market } = plan;
  const side = random.chance(50) ? 'buy' : 'sell';
  const lastTicks = sender.lastPriceOf(market, plan.middleTicks);
  const user = random.pick(USERS);
  const sizeLots = sizeOf(sender, plan);
  if (random.chance(8)) {
    const quoteAtoms = BigInt(sizeLots) * BigInt(lastTicks) * 2n;
    const token = { clientOrderId: '', expiresAtMs: sender.timeMs + random.between(-1, 3) };
    return { kind: 'ExecuteQuote', user, key: 1, market, side, sizeLots, quoteAtoms, ...token };
  }
  const isMarket = random.chance(20);
  const isStop = random.chance(15);
  const timeInForce = random.chance(50) ? 'GTC' : random.pick(TIMES_IN_FORCE);
  const link = isStop ? linkTerms(sender, plan.market) : undefined;
  const stopSide = link?.side ?? side;
  const stopTicks = random.between(1, 3);
  const stop = isStop && {
    ...stopTerms(random, { lastTicks, side: stopSide, ticks: stopTicks, plan }),
    ...link,
  };
  const placed = order({
    user,
    key: random.below(3),
    market,
    side,
    type: isMarket ? 'market' : 'limit',
    timeInForce: isMarket && timeInForce === 'GTC' ? 'FOK' : timeInForce,
    selfTrade: random.pick(SELF_TRADE_MODES),
    postOnly: !isMarket && !isStop && timeInForce === 'GTC' && random.chance(30),
    priceTicks: isMarket ? 0 : awayFrom(lastTicks, side, random.between(-3, 3), plan),
    sizeLots,
    ...stop,
    // A link without a stop price is refused.
    ...(!isStop && random.chance(2) && linkTerms(sender, plan.market)),
    expiresMs: anyExpiryMs(sender),
    clientOrderId: random.chance(30) ? `a${random.below(4_000)}` : '',
  });
  return random.chance(5) ? { ...placed, kind: 'CheckOrder' } : placed;
}

/** Returns a size that is small, at a limit, or anything between. */
function sizeOf({ random }: FlowSender, { minSizeLots, maxSizeLots }: MarketPlan): number {
  const dice = random.below(10);
  if (dice === 0) return maxSizeLots;
  if (dice === 1) return random.between(minSizeLots, maxSizeLots);
  return random.between(minSizeLots, minSizeLots + 4);
}

function orderChange(sender: FlowSender): CommandWithoutId | undefined {
  const { random } = sender;
  const seen = random.chance(95) ? sender.orders.pick(random) : sender.orders.pickClosed(random);
  if (seen === undefined) return undefined;
  const { user, order: number, market, clientOrderId } = seen;
  const isFull = sender.orders.count > OPEN_ORDERS_WANTED;
  if (isFull || random.chance(25)) {
    if (clientOrderId !== '') return { kind: 'CancelOrderByClientId', user, clientOrderId };
    return { kind: 'CancelOrder', user, order: number, byOperator: random.chance(10) };
  }
  if (random.chance(3)) {
    const meant = random.chance(50) ? market : 0;
    return { kind: 'CancelAllOrders', user, market: meant, byOperator: random.chance(10) };
  }
  const filledLots = seen.sizeLots - seen.remainingLots;
  return {
    kind: 'AmendOrder',
    user,
    order: number,
    priceTicks: random.chance(40) ? 0 : Math.max(0, seen.priceTicks + random.between(-2, 2)),
    sizeLots: random.pick([0, filledLots, filledLots + 1, seen.sizeLots + random.between(-2, 2)]),
    stopTicks: amendedStopTicks(random, seen),
  };
}
