// Events: everything that has happened, in the past tense and complete. Applying `postingsOf` to
// every event gives the complete ledger, without the engine.

import type {
  AssetId,
  Atoms,
  CommandNumber,
  KeyId,
  Lots,
  MarketId,
  OrderNumber,
  Ppm,
  Ticks,
  TimeMs,
  TradeNumber,
  UserId,
} from '../money/index.ts';
import type { Limits } from './limits.ts';
import type {
  CloseReason,
  MarketStatus,
  OrderType,
  Refusal,
  SelfTradeMode,
  Side,
  TimeInForce,
  Trigger,
} from './vocabulary.ts';

/** The command that caused the event; 0 for the effects of time (see EventFrame). */
interface Caused {
  readonly command: CommandNumber;
}

export interface CommandRefused extends Caused {
  readonly kind: 'CommandRefused';
  readonly refusal: Refusal;
  /** The order that already has the client order id; 0 for every other refusal. */
  readonly order: OrderNumber;
}

/** A command id was repeated. The first outcome stands. */
export interface CommandRepeated extends Caused {
  readonly kind: 'CommandRepeated';
  readonly original: CommandNumber;
  /** 'none' if the original was accepted. */
  readonly refusal: Refusal;
}

export interface OrderPlaced extends Caused {
  readonly kind: 'OrderPlaced';
  readonly order: OrderNumber;
  readonly user: UserId;
  readonly key: KeyId;
  readonly market: MarketId;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly selfTrade: SelfTradeMode;
  readonly postOnly: boolean;
  /** For a market order, the worst price it accepts. */
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly stopTicks: Ticks;
  readonly makerFeePpm: Ppm;
  readonly takerFeePpm: Ppm;
  readonly heldAsset: AssetId;
  readonly heldAtoms: Atoms;
  readonly clientOrderId: string;
  readonly note: string;
  readonly quick: boolean;
  readonly trigger: Trigger;
  /** The open order that this one shares its hold with; 0 for none. */
  readonly linkedOrder: OrderNumber;
  /** 0 for none. */
  readonly expiresMs: TimeMs;
}

/** A stop was triggered and now trades as a limit or market order. */
export interface OrderTriggered extends Caused {
  readonly kind: 'OrderTriggered';
  readonly order: OrderNumber;
  readonly user: UserId;
  readonly market: MarketId;
}

export interface TradeExecuted extends Caused {
  readonly kind: 'TradeExecuted';
  readonly trade: TradeNumber;
  readonly market: MarketId;
  readonly base: AssetId;
  readonly quote: AssetId;
  readonly takerSide: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  /** Both are 0 in a direct trade, which has no orders. */
  readonly makerOrder: OrderNumber;
  readonly takerOrder: OrderNumber;
  readonly maker: UserId;
  readonly taker: UserId;
  readonly makerRemainingLots: Lots;
  readonly takerRemainingLots: Lots;
  readonly baseAtoms: Atoms;
  readonly quoteAtoms: Atoms;
  /** In the asset that each side receives: base for the buyer, quote for the seller. */
  readonly makerFeeAtoms: Atoms;
  readonly takerFeeAtoms: Atoms;
  /** The quote that a buying taker held above the trade's price, released to available. */
  readonly releasedAtoms: Atoms;
  /** True if maker or taker is a house account. */
  readonly house: boolean;
  /** True for an executed quote or a direct trade. */
  readonly quick: boolean;
}

export interface OrderAmended extends Caused {
  readonly kind: 'OrderAmended';
  readonly order: OrderNumber;
  readonly user: UserId;
  readonly market: MarketId;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly remainingLots: Lots;
  readonly keptPriority: boolean;
  readonly heldAsset: AssetId;
  /** The change of the hold: positive is held, negative is released. */
  readonly heldChangeAtoms: Atoms;
  /** The stop price of a waiting stop; 0 for an order in the book. */
  readonly stopTicks: Ticks;
}

export interface OrderClosed extends Caused {
  readonly kind: 'OrderClosed';
  readonly order: OrderNumber;
  readonly user: UserId;
  readonly market: MarketId;
  readonly reason: CloseReason;
  readonly remainingLots: Lots;
  readonly heldAsset: AssetId;
  readonly releasedAtoms: Atoms;
}

export interface DeadManSwitchSet extends Caused {
  readonly kind: 'DeadManSwitchSet';
  readonly user: UserId;
  readonly key: KeyId;
  /** 0 if disarmed. */
  readonly deadlineMs: TimeMs;
}

export interface DeadManSwitchFired extends Caused {
  readonly kind: 'DeadManSwitchFired';
  readonly user: UserId;
  readonly key: KeyId;
  readonly ordersCanceled: number;
}

export interface DepositCredited extends Caused {
  readonly kind: 'DepositCredited';
  readonly user: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly reference: string;
}

export interface AssetMinted extends Caused {
  readonly kind: 'AssetMinted';
  readonly user: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly reference: string;
}

export interface AssetBurned extends Caused {
  readonly kind: 'AssetBurned';
  readonly user: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly reference: string;
}

export interface AssetTransferred extends Caused {
  readonly kind: 'AssetTransferred';
  readonly sender: UserId;
  readonly receiver: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly reference: string;
}

export interface WithdrawalOpened extends Caused {
  readonly kind: 'WithdrawalOpened';
  readonly withdrawal: number;
  readonly user: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly feeAsset: AssetId;
  readonly feeAtoms: Atoms;
  /** Empty if unknown, as before rules version 3. */
  readonly destination: string;
}

export interface WithdrawalCompleted extends Caused {
  readonly kind: 'WithdrawalCompleted';
  readonly withdrawal: number;
  readonly user: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly feeAsset: AssetId;
  readonly feeAtoms: Atoms;
  readonly reference: string;
}

export interface WithdrawalCanceled extends Caused {
  readonly kind: 'WithdrawalCanceled';
  readonly withdrawal: number;
  readonly user: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly feeAsset: AssetId;
  readonly feeAtoms: Atoms;
}

export interface FeesSettled extends Caused {
  readonly kind: 'FeesSettled';
  readonly asset: AssetId;
  readonly user: UserId;
  readonly amountAtoms: Atoms;
}

export interface AssetListed extends Caused {
  readonly kind: 'AssetListed';
  readonly asset: AssetId;
  readonly symbol: string;
  readonly scale: number;
  readonly issuanceCapAtoms: Atoms;
}

export interface IssuanceCapSet extends Caused {
  readonly kind: 'IssuanceCapSet';
  readonly asset: AssetId;
  readonly issuanceCapAtoms: Atoms;
}

export interface MarketListed extends Caused {
  readonly kind: 'MarketListed';
  readonly market: MarketId;
  readonly base: AssetId;
  readonly quote: AssetId;
  readonly lotAtoms: Atoms;
  readonly tickMantissa: number;
  readonly tickScale: number;
  /** Quote atoms of one lot at one tick: a notional is this × ticks × lots, never rounded. */
  readonly tickLotAtoms: Atoms;
  readonly minPriceTicks: Ticks;
  readonly maxPriceTicks: Ticks;
  readonly minSizeLots: Lots;
  readonly maxSizeLots: Lots;
  readonly referenceTicks: Ticks;
  readonly status: MarketStatus;
}

export interface MarketStatusSet extends Caused {
  readonly kind: 'MarketStatusSet';
  readonly market: MarketId;
  readonly status: MarketStatus;
  /** When the auction ends; 0 for no such time. */
  readonly auctionEndsMs: TimeMs;
}

/** An auction has ended: its trades follow, all at this price. */
export interface AuctionPriceSet extends Caused {
  readonly kind: 'AuctionPriceSet';
  readonly market: MarketId;
  readonly priceTicks: Ticks;
}

export interface MarketFeesSet extends Caused {
  readonly kind: 'MarketFeesSet';
  readonly market: MarketId;
  readonly tier: number;
  readonly makerPpm: Ppm;
  readonly takerPpm: Ppm;
}

export interface UserFeesSet extends Caused {
  readonly kind: 'UserFeesSet';
  readonly user: UserId;
  readonly tier: number;
  readonly discountPpm: Ppm;
}

export interface UserGroupSet extends Caused {
  readonly kind: 'UserGroupSet';
  readonly user: UserId;
  readonly group: number;
  readonly house: boolean;
}

export interface PriceBandSet extends Caused {
  readonly kind: 'PriceBandSet';
  readonly market: MarketId;
  readonly bandPpm: Ppm;
  readonly slippagePpm: Ppm;
  /** The reference in force after the command. */
  readonly referenceTicks: Ticks;
}

export interface LimitsSet extends Caused, Limits {
  readonly kind: 'LimitsSet';
}

/** The engine failed on this command and did not apply it: its market or channel is frozen. */
export interface CommandPoisoned extends Caused {
  readonly kind: 'CommandPoisoned';
  /** The frozen market; 0 for none. */
  readonly market: MarketId;
  /** The frozen channel; 0 for none. */
  readonly channel: number;
}

export interface CommandVoided extends Caused {
  readonly kind: 'CommandVoided';
  readonly voided: CommandNumber;
}

/** The band's reference followed the market, or its first trade set it. */
export interface BandReferenceMoved extends Caused {
  readonly kind: 'BandReferenceMoved';
  readonly market: MarketId;
  readonly referenceTicks: Ticks;
}

/** The head of the operators' audit at this time. */
export interface AuditAnchored extends Caused {
  readonly kind: 'AuditAnchored';
  readonly auditSequence: number;
  readonly hash: string;
}

export interface RulesVersionSet extends Caused {
  readonly kind: 'RulesVersionSet';
  readonly version: number;
}

export type Event =
  | CommandRefused
  | CommandRepeated
  | OrderPlaced
  | OrderTriggered
  | TradeExecuted
  | OrderAmended
  | OrderClosed
  | DeadManSwitchSet
  | DeadManSwitchFired
  | DepositCredited
  | AssetMinted
  | AssetBurned
  | AssetTransferred
  | WithdrawalOpened
  | WithdrawalCompleted
  | WithdrawalCanceled
  | FeesSettled
  | AssetListed
  | IssuanceCapSet
  | MarketListed
  | MarketStatusSet
  | MarketFeesSet
  | UserFeesSet
  | UserGroupSet
  | PriceBandSet
  | LimitsSet
  | CommandPoisoned
  | CommandVoided
  | AuditAnchored
  | BandReferenceMoved
  | RulesVersionSet
  | AuctionPriceSet;
