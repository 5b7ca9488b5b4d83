// Initial state of a flow's exchange: assets, markets, fees, groups, and users with money deposited
// through a channel. Also the order builders that the flows share.

import type {
  CommandFrame,
  Event,
  EventFrame,
  MarketStatus,
  PlaceOrder,
  Side,
} from '../../core/messages/index.ts';
import type { CommandWithoutId } from '../reference-models/index.ts';
import type { FlowSender } from './flow-sender.ts';
import type { Random } from './random.ts';

export interface AssetPlan {
  readonly symbol: string;
  readonly scale: number;
  readonly issuanceCapAtoms: bigint;
  /** Deposit of each user, in atoms. */
  readonly fundsAtoms: bigint;
}

/** A market that a flow listed. Its ID follows from the listing order. */
export interface MarketPlan {
  readonly market: number;
  readonly base: number;
  readonly quote: number;
  readonly lotAtoms: bigint;
  readonly tickMantissa: number;
  readonly tickScale: number;
  readonly minPriceTicks: number;
  readonly maxPriceTicks: number;
  readonly minSizeLots: number;
  readonly maxSizeLots: number;
  readonly referenceTicks: number;
  readonly status: MarketStatus;
  /** Price at which the flow starts to trade, in ticks. */
  readonly middleTicks: number;
}

export interface Plan {
  readonly assets: readonly AssetPlan[];
  readonly markets: readonly MarketPlan[];
  readonly users: readonly number[];
}

export const DEPOSITS = 1;
const COMMANDS_PER_FRAME = 64;

export function* setUp(
  sender: FlowSender,
  plan: Plan,
): Generator<CommandFrame, readonly Event[], EventFrame> {
  for (const { symbol, scale, issuanceCapAtoms } of plan.assets) {
    sender.send({ kind: 'ListAsset', symbol, scale, issuanceCapAtoms });
  }
  for (const { market, middleTicks: _, ...listing } of plan.markets) {
    sender.send({ kind: 'ListMarket', ...listing });
    for (const tier of [0, 1, 2, 63]) {
      const takerPpm = [0, 2_000, 1_333, 500_000][[0, 1, 2, 63].indexOf(tier)];
      const fees = { makerPpm: Math.floor(takerPpm / 2), takerPpm };
      sender.send({ kind: 'SetMarketFees', market, tier, ...fees });
    }
  }
  yield* sender.publish(1);
  for (const user of plan.users) {
    for (const [index, { fundsAtoms }] of plan.assets.entries()) {
      if (fundsAtoms === 0n) continue;
      const deposit = { user, asset: index + 1, amountAtoms: fundsAtoms };
      sender.sendFrom(DEPOSITS, { kind: 'CreditDeposit', ...deposit, reference: `start ${user}` });
      if (sender.pending === COMMANDS_PER_FRAME) yield* sender.publish(1);
    }
  }
  return yield* sender.publish(1);
}

/** Returns a market with 0.01 quote ticks and 0.0001 base lots, like most real ones. */
export function usualMarket(
  pair: Pick<MarketPlan, 'market' | 'base' | 'quote'>,
  change: Partial<MarketPlan> = {},
): MarketPlan {
  return {
    ...pair,
    lotAtoms: 10_000n,
    tickMantissa: 1,
    tickScale: 2,
    minPriceTicks: 2,
    maxPriceTicks: 1_000_000,
    minSizeLots: 1,
    maxSizeLots: 1_000_000,
    referenceTicks: 10_000,
    status: 'full',
    middleTicks: 10_000,
    ...change,
  };
}

export const USDT: AssetPlan = {
  symbol: 'usdt',
  scale: 6,
  issuanceCapAtoms: 10n ** 18n,
  fundsAtoms: 10n ** 12n,
};

export function coin(symbol: string): AssetPlan {
  return { symbol, scale: 8, issuanceCapAtoms: 10n ** 18n, fundsAtoms: 10n ** 11n };
}

type PlainOrder = Extract<CommandWithoutId, { kind: 'PlaceOrder' }>;
type OrderBody = Pick<PlainOrder, 'user' | 'market' | 'side' | 'sizeLots'> & Partial<PlainOrder>;

/** Returns a GTC limit order, unless the body overrides that. */
export function order(body: OrderBody): PlainOrder {
  return {
    kind: 'PlaceOrder',
    key: 0,
    type: 'limit',
    timeInForce: 'GTC',
    selfTrade: 'cancel_newest',
    postOnly: false,
    priceTicks: 0,
    stopTicks: 0,
    clientOrderId: '',
    note: '',
    trigger: 'stop',
    linkedOrder: 0,
    expiresMs: 0,
    ...body,
  };
}

/** Returns the terms of a stop or a take-profit, `ticks` away from the last price. */
export function stopTerms(
  random: Random,
  terms: { lastTicks: number; side: Side; ticks: number; plan: MarketPlan },
): Pick<PlainOrder, 'stopTicks' | 'trigger'> {
  const { lastTicks, plan, side, ticks } = terms;
  const otherSide = side === 'buy' ? 'sell' : 'buy';
  const trigger = random.chance(40) ? 'take_profit' : 'stop';
  const stopTicks = awayFrom(lastTicks, trigger === 'stop' ? otherSide : side, ticks, plan);
  return { stopTicks, trigger };
}

/**
 * Returns the terms of a stop that is linked to an open order, mostly with the same user, market,
 * side and size.
 */
export function linkTerms(
  { orders, random }: FlowSender,
  market: number,
): Partial<PlainOrder> | undefined {
  const seen = orders.pick(random);
  if (seen?.market !== market || random.chance(30)) return undefined;
  const { order: linkedOrder, side, sizeLots, user } = seen;
  if (random.chance(90)) return { linkedOrder, side, sizeLots, user };
  return random.pick([{ linkedOrder }, { linkedOrder, user }, { linkedOrder, side, user }]);
}

/** Returns when some orders expire, or 0; rarely a time that is refused. */
export function anyExpiryMs({ random, timeMs }: FlowSender): number {
  if (!random.chance(12)) return 0;
  return random.chance(95)
    ? timeMs + random.between(1, 4_000)
    : timeMs + random.pick([-1, 0, 9e12]);
}

/** Returns a changed stop price of a stop, or 0. */
export function amendedStopTicks(random: Random, { stopTicks }: { stopTicks: number }): number {
  if (stopTicks === 0) return random.chance(3) ? 9 : 0;
  return random.chance(60) ? Math.max(0, stopTicks + random.between(-4, 4)) : 0;
}

/** Returns a price `ticks` away from the middle, on the resting side, within the limits. */
export function awayFrom(
  middleTicks: number,
  side: PlaceOrder['side'],
  ticks: number,
  { minPriceTicks, maxPriceTicks }: MarketPlan,
): number {
  const priceTicks = side === 'buy' ? middleTicks - ticks : middleTicks + ticks;
  return Math.min(Math.max(priceTicks, minPriceTicks), maxPriceTicks);
}
