// Messages: the commands and events of an exchange, and their encoding.

export { CodecFault } from './codec-fault.ts';
export type {
  AmendOrder,
  AnchorAudit,
  BurnAsset,
  CancelAllOrders,
  CancelOrder,
  CancelOrderByClientId,
  CancelWithdrawal,
  ChannelPosition,
  CheckOrder,
  Command,
  CommandId,
  CompleteWithdrawal,
  CreditDeposit,
  ExecuteQuote,
  ListAsset,
  ListMarket,
  MintAsset,
  OpenWithdrawal,
  PlaceOrder,
  SetDeadManSwitch,
  SetIssuanceCap,
  SetLimits,
  SetMarketFees,
  SetMarketStatus,
  SetPriceBand,
  SetRulesVersion,
  SettleFees,
  SetUserFees,
  SetUserGroup,
  TradeDirectly,
  TransferAsset,
  VoidCommand,
} from './commands.ts';
export type {
  AssetBurned,
  AssetListed,
  AssetMinted,
  CommandPoisoned,
  CommandVoided,
  DeadManSwitchFired,
  DeadManSwitchSet,
  DepositCredited,
  Event,
  IssuanceCapSet,
  LimitsSet,
  MarketFeesSet,
  MarketListed,
  MarketStatusSet,
  OrderAmended,
  OrderClosed,
  OrderPlaced,
  OrderTriggered,
  PriceBandSet,
  TradeExecuted,
  UserFeesSet,
  UserGroupSet,
  WithdrawalCanceled,
  WithdrawalCompleted,
  WithdrawalOpened,
} from './events.ts';
export {
  appendCommand,
  appendCommandRecords,
  appendEvent,
  closeFrame,
  decodeCommandFrame,
  decodeEventFrame,
  type EventFrameHeader,
  encodeCommandFrame,
  encodeEventFrame,
  type FrameOutline,
  openCommandFrame,
  openEventFrame,
  outlineFrame,
} from './frame-codec.ts';
export { FrameWriter } from './frame-writer.ts';
export { type CommandFrame, type EventFrame, FRAME_HASH_BYTES } from './frames.ts';
export { SCHEMA_VERSION } from './layout.ts';
export { CAPACITY_MAX, INITIAL_LIMITS, LIMIT_NAMES, type Limits, SHARE_NAMES } from './limits.ts';
export { orderIdText, parseOrderId } from './order-ids.ts';
export { EXTERNAL_OWNER, FEES_OWNER, type Owner } from './owners.ts';
export { type AccountPart, type Posting, type PostingSide, postingsOf } from './postings.ts';
export {
  decodeCommandRecords,
  decodeEventRecords,
  type Records,
  splitRecords,
} from './record-codec.ts';
export { isRunnableVersion, RULES_VERSION_MAX, RULES_VERSION_MIN } from './rules-versions.ts';
export {
  CLOSE_REASONS,
  type CloseReason,
  MARKET_STATUSES,
  type MarketStatus,
  ORDER_TYPES,
  type OrderType,
  REFUSALS,
  type Refusal,
  SELF_TRADE_MODES,
  type SelfTradeMode,
  SIDES,
  type Side,
  TIMES_IN_FORCE,
  type TimeInForce,
} from './vocabulary.ts';
