// Commands: everything the exchange can be asked to do, as imperatives. A command is plain data.
// Its integers are in ticks, lots and atoms: no decimal reaches the engine.

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
  UserId,
} from '../money/index.ts';
import type { Limits } from './limits.ts';
import type {
  MarketStatus,
  OrderType,
  SelfTradeMode,
  Side,
  TimeInForce,
  Trigger,
} from './vocabulary.ts';

/** Identifies a command permanently: `source` is one gateway session, `number` counts within it. */
export interface CommandId {
  readonly source: number;
  readonly number: number;
}

/** The position in an external source of money commands: sequences are consecutive. */
export interface ChannelPosition {
  readonly channel: number;
  readonly channelSequence: number;
}

export interface PlaceOrder extends CommandId {
  readonly kind: 'PlaceOrder';
  readonly user: UserId;
  readonly key: KeyId;
  readonly market: MarketId;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly selfTrade: SelfTradeMode;
  readonly postOnly: boolean;
  /** 0 for a market order. */
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  /** 0 for an order that is not a stop. */
  readonly stopTicks: Ticks;
  /** '' for none; otherwise at most 36 printable ASCII characters, unique per user. */
  readonly clientOrderId: string;
  /** Copied into OrderPlaced for the user; the engine does not store it. */
  readonly note: string;
  /** 'stop' for an order without a stop price. */
  readonly trigger: Trigger;
  /** An open order that closes when this one trades or closes, and the reverse; 0 for none. */
  readonly linkedOrder: OrderNumber;
  /** The time at which the open order closes; 0 for none. */
  readonly expiresMs: TimeMs;
}

/** Asks whether the order would be accepted now. It changes nothing. */
export interface CheckOrder extends Omit<PlaceOrder, 'kind'> {
  readonly kind: 'CheckOrder';
}

export interface CancelOrder extends CommandId {
  readonly kind: 'CancelOrder';
  readonly user: UserId;
  readonly order: OrderNumber;
  readonly byOperator: boolean;
}

export interface CancelOrderByClientId extends CommandId {
  readonly kind: 'CancelOrderByClientId';
  readonly user: UserId;
  readonly clientOrderId: string;
}

export interface CancelAllOrders extends CommandId {
  readonly kind: 'CancelAllOrders';
  readonly user: UserId;
  /** 0 for every market. */
  readonly market: MarketId;
  readonly byOperator: boolean;
}

export interface AmendOrder extends CommandId {
  readonly kind: 'AmendOrder';
  readonly user: UserId;
  readonly order: OrderNumber;
  /** 0 keeps the price. */
  readonly priceTicks: Ticks;
  /** The new total size, including the filled part; 0 keeps the size. */
  readonly sizeLots: Lots;
  /** The new stop price of a waiting stop; 0 keeps it. */
  readonly stopTicks: Ticks;
}

export interface ExecuteQuote extends CommandId {
  readonly kind: 'ExecuteQuote';
  readonly user: UserId;
  readonly key: KeyId;
  readonly market: MarketId;
  readonly side: Side;
  readonly sizeLots: Lots;
  /** A buyer spends at most this much quote, a seller receives at least this much before fees. */
  readonly quoteAtoms: Atoms;
  readonly expiresAtMs: TimeMs;
  /** The token of the quote: usable once, like every client order id. */
  readonly clientOrderId: string;
}

export interface TradeDirectly extends CommandId, ChannelPosition {
  readonly kind: 'TradeDirectly';
  readonly market: MarketId;
  readonly maker: UserId;
  readonly taker: UserId;
  readonly takerSide: Side;
  readonly priceTicks: Ticks;
  readonly sizeLots: Lots;
  readonly makerFeePpm: Ppm;
  readonly takerFeePpm: Ppm;
}

export interface SetDeadManSwitch extends CommandId {
  readonly kind: 'SetDeadManSwitch';
  readonly user: UserId;
  /** 0 covers every order of the user; otherwise only the orders sent with this key. */
  readonly key: KeyId;
  /** 0 disarms. */
  readonly timeoutMs: number;
}

export interface CreditDeposit extends CommandId, ChannelPosition {
  readonly kind: 'CreditDeposit';
  readonly user: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly reference: string;
}

export interface MintAsset extends CommandId, ChannelPosition {
  readonly kind: 'MintAsset';
  readonly user: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly reference: string;
}

export interface BurnAsset extends CommandId, ChannelPosition {
  readonly kind: 'BurnAsset';
  readonly user: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly reference: string;
}

export interface TransferAsset extends CommandId, ChannelPosition {
  readonly kind: 'TransferAsset';
  readonly sender: UserId;
  readonly receiver: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly reference: string;
}

export interface OpenWithdrawal extends CommandId, ChannelPosition {
  readonly kind: 'OpenWithdrawal';
  readonly withdrawal: number;
  readonly user: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly feeAsset: AssetId;
  readonly feeAtoms: Atoms;
  /** SHA-256 of ID, network and address in hexadecimal: no address is in the log. */
  readonly destination: string;
}

export interface CompleteWithdrawal extends CommandId, ChannelPosition {
  readonly kind: 'CompleteWithdrawal';
  readonly withdrawal: number;
  readonly reference: string;
}

export interface CancelWithdrawal extends CommandId, ChannelPosition {
  readonly kind: 'CancelWithdrawal';
  readonly withdrawal: number;
}

export interface SettleFees extends CommandId, ChannelPosition {
  readonly kind: 'SettleFees';
  readonly asset: AssetId;
  readonly user: UserId;
}

export interface ListAsset extends CommandId {
  readonly kind: 'ListAsset';
  readonly symbol: string;
  /** Decimal digits of one whole unit: 8 means 100,000,000 atoms. */
  readonly scale: number;
  readonly issuanceCapAtoms: Atoms;
}

export interface SetIssuanceCap extends CommandId {
  readonly kind: 'SetIssuanceCap';
  readonly asset: AssetId;
  readonly issuanceCapAtoms: Atoms;
}

export interface ListMarket extends CommandId {
  readonly kind: 'ListMarket';
  readonly base: AssetId;
  readonly quote: AssetId;
  /** One lot in base atoms. */
  readonly lotAtoms: Atoms;
  /** One tick is tickMantissa × 10^-tickScale quote units for one base unit. */
  readonly tickMantissa: number;
  readonly tickScale: number;
  readonly minPriceTicks: Ticks;
  readonly maxPriceTicks: Ticks;
  readonly minSizeLots: Lots;
  readonly maxSizeLots: Lots;
  /** The market price until the first trade; 0 for none. */
  readonly referenceTicks: Ticks;
  readonly status: MarketStatus;
}

export interface SetMarketStatus extends CommandId {
  readonly kind: 'SetMarketStatus';
  readonly market: MarketId;
  readonly status: MarketStatus;
  /** When an auction ends; 0: when its status changes. 0 for every other status. */
  readonly auctionEndsMs: TimeMs;
}

export interface SetMarketFees extends CommandId {
  readonly kind: 'SetMarketFees';
  readonly market: MarketId;
  readonly tier: number;
  readonly makerPpm: Ppm;
  readonly takerPpm: Ppm;
}

export interface SetUserFees extends CommandId {
  readonly kind: 'SetUserFees';
  readonly user: UserId;
  readonly tier: number;
  /** Reduces both rates; 1,000,000 means no fees. */
  readonly discountPpm: Ppm;
}

export interface SetUserGroup extends CommandId {
  readonly kind: 'SetUserGroup';
  readonly user: UserId;
  /** Users of one group never trade with each other; 0 for no group. */
  readonly group: number;
  /** The operator's own account: its trades are flagged and excluded from volume. */
  readonly house: boolean;
}

export interface SetPriceBand extends CommandId {
  readonly kind: 'SetPriceBand';
  readonly market: MarketId;
  /** Maximum distance of trades from the reference price; 0 for no band. */
  readonly bandPpm: Ppm;
  /** Maximum distance of a market order from the best price; 0 for no cap. */
  readonly slippagePpm: Ppm;
  /** 0 keeps the reference. */
  readonly referenceTicks: Ticks;
}

export interface SetLimits extends CommandId, Limits {
  readonly kind: 'SetLimits';
}

/** The operator's decision to continue without a poison command: unfreezes what it froze. */
export interface VoidCommand extends CommandId {
  readonly kind: 'VoidCommand';
  readonly command: CommandNumber;
}

/** Puts the head of the operators' audit on record. The engine only repeats it as an event. */
export interface AnchorAudit extends CommandId {
  readonly kind: 'AnchorAudit';
  readonly auditSequence: number;
  /** 64 hexadecimal digits. */
  readonly hash: string;
}

/** The rules version that the engine follows after this command. It never decreases. */
export interface SetRulesVersion extends CommandId {
  readonly kind: 'SetRulesVersion';
  readonly version: number;
}

export type Command =
  | PlaceOrder
  | CancelOrder
  | CancelOrderByClientId
  | CancelAllOrders
  | AmendOrder
  | ExecuteQuote
  | TradeDirectly
  | SetDeadManSwitch
  | CreditDeposit
  | MintAsset
  | BurnAsset
  | TransferAsset
  | OpenWithdrawal
  | CompleteWithdrawal
  | CancelWithdrawal
  | SettleFees
  | ListAsset
  | SetIssuanceCap
  | ListMarket
  | SetMarketStatus
  | SetMarketFees
  | SetUserFees
  | SetUserGroup
  | SetPriceBand
  | SetLimits
  | VoidCommand
  | AnchorAudit
  | CheckOrder
  | SetRulesVersion;
