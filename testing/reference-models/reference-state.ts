// Entire state of the reference exchange as plain objects, arrays and Maps. No logic except
// creation, lookup and the event list of the current frame.

import assert from 'node:assert/strict';
import {
  type Event,
  INITIAL_LIMITS,
  type Limits,
  type MarketStatus,
  type OrderType,
  type Refusal,
  type SelfTradeMode,
  type Side,
  type TimeInForce,
  type Trigger,
} from '../../core/messages/index.ts';
import { createLedger, type ReferenceLedger } from './reference-ledger.ts';
import type { EventWithoutCause } from './unbranded.ts';

export interface ReferenceAsset {
  readonly id: number;
  readonly symbol: string;
  readonly scale: number;
  issuanceCapAtoms: bigint;
}

export interface ReferenceOrder {
  readonly number: number;
  readonly user: number;
  readonly key: number;
  readonly market: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly selfTrade: SelfTradeMode;
  readonly postOnly: boolean;
  readonly trigger: Trigger;
  /** 0 for none. */
  readonly expiresMs: number;
  readonly makerFeePpm: number;
  readonly takerFeePpm: number;
  readonly clientOrderId: string;
  readonly quick: boolean;
  stopTicks: number;
  /** The order that closes when this one trades or closes, and the reverse; 0 for none. */
  linkedOrder: number;
  priceTicks: number;
  sizeLots: number;
  remainingLots: number;
  /** Remaining hold. */
  heldAtoms: bigint;
  /** Price of its hold; 0 if the hold is exactly the cost of its fills. */
  heldPriceTicks: number;
  place: 'incoming' | 'book' | 'waiting' | 'ready';
}

export interface ReferenceLevel {
  readonly priceTicks: number;
  readonly orders: ReferenceOrder[];
}

export interface ReferenceMarket {
  readonly id: number;
  readonly base: number;
  readonly quote: number;
  readonly lotAtoms: bigint;
  readonly tickLotAtoms: bigint;
  readonly minPriceTicks: number;
  readonly maxPriceTicks: number;
  readonly minSizeLots: number;
  readonly maxSizeLots: number;
  readonly listingReferenceTicks: number;
  readonly feesByTier: Map<number, { makerPpm: number; takerPpm: number }>;
  status: MarketStatus;
  /** End of the auction; 0 if it has no end time. */
  auctionEndsMs: number;
  isUncrossing: boolean;
  /** Price of the uncrossing; 0 until it is known. */
  auctionTicks: number;
  /** Command that froze it; 0 if it is not frozen. */
  frozenBy: number;
  lastPriceTicks: number;
  bandPpm: number;
  slippagePpm: number;
  referenceTicks: number;
  referenceSetAtMs: number;
  /** Best price first. */
  readonly bids: ReferenceLevel[];
  readonly asks: ReferenceLevel[];
  /** In order of arrival: of placement, or of the last change of the stop price. */
  readonly waitingStops: ReferenceOrder[];
  /** In order of activation. */
  readonly readyStops: ReferenceOrder[];
}

export interface ReferenceUser {
  tier: number;
  discountPpm: number;
  group: number;
  house: boolean;
}

export interface ReferenceWithdrawal {
  readonly withdrawal: number;
  readonly user: number;
  readonly asset: number;
  readonly amountAtoms: bigint;
  readonly feeAsset: number;
  readonly feeAtoms: bigint;
  readonly destination: string;
}

export interface ReferenceSwitch {
  readonly user: number;
  readonly key: number;
  deadlineMs: number;
}

export interface ReferenceState {
  limits: Limits;
  timeMs: number;
  /** Number of the command being applied; 0 while only time passes. */
  command: number;
  commandsSeen: number;
  trades: number;
  rulesVersion: number;
  events: Event[];
  readonly ledger: ReferenceLedger;
  readonly assets: ReferenceAsset[];
  readonly markets: ReferenceMarket[];
  readonly users: Map<number, ReferenceUser>;
  /** Every open order by its number, in order of placement. */
  readonly orders: Map<number, ReferenceOrder>;
  /** Oldest first. */
  readonly closedClientOrderIds: {
    user: number;
    clientOrderId: string;
    order: number;
    closedSeconds: number;
  }[];
  /** By command id, oldest first. */
  readonly remembered: Map<string, { command: number; refusal: Refusal }>;
  readonly channels: Map<number, { lastSequence: number; frozenBy: number }>;
  readonly withdrawals: Map<number, ReferenceWithdrawal>;
  readonly switches: ReferenceSwitch[];
}

export function createState(): ReferenceState {
  return {
    limits: INITIAL_LIMITS,
    timeMs: 0,
    command: 0,
    commandsSeen: 0,
    trades: 0,
    rulesVersion: 1,
    events: [],
    ledger: createLedger(),
    assets: [],
    markets: [],
    users: new Map(),
    orders: new Map(),
    closedClientOrderIds: [],
    remembered: new Map(),
    channels: new Map(),
    withdrawals: new Map(),
    switches: [],
  };
}

export function emit(state: ReferenceState, event: EventWithoutCause): void {
  state.events.push({ ...event, command: state.command } as Event);
}

export function findMarket(state: ReferenceState, market: number): ReferenceMarket | undefined {
  return state.markets[market - 1];
}

export function marketOf(state: ReferenceState, order: ReferenceOrder): ReferenceMarket {
  const market = findMarket(state, order.market);
  assert.ok(market !== undefined, `order ${order.number} must be in a listed market`);
  return market;
}

export function findAsset(state: ReferenceState, asset: number): ReferenceAsset | undefined {
  return state.assets[asset - 1];
}

const UNKNOWN_USER: Readonly<ReferenceUser> = { tier: 1, discountPpm: 0, group: 0, house: false };

export function userOf(state: ReferenceState, user: number): Readonly<ReferenceUser> {
  return state.users.get(user) ?? UNKNOWN_USER;
}

export function openUser(state: ReferenceState, user: number): ReferenceUser {
  const known = state.users.get(user) ?? { ...UNKNOWN_USER };
  state.users.set(user, known);
  return known;
}
