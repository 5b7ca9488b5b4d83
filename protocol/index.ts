// The protocol as data: routes, schemas, stream messages, errors. It knows neither handlers nor
// connections.

export {
  type AccountNow,
  balanceFields,
  OperatorRow,
  OperatorUser,
} from '../features/accounts/api/index.ts';
export {
  APPROVAL_STATES,
  Approval,
  PendingApproval,
  Role,
} from '../features/approvals/api/index.ts';
export { AuditEntry, AuditVerification } from '../features/audit/api/index.ts';
export {
  ApiKey,
  ApiKeyCreated,
  CaptchaChallenge,
  Passkey,
  PasskeyOptions,
  SessionToken,
  UserDevice,
  UserLogin,
  UserSession,
} from '../features/auth/api/index.ts';
export type { CustodyState } from '../features/custody/api/index.ts';
export { type Control, Kit } from '../features/exchange-config/api/index.ts';
export type { ExchangeHealth, HealthReport } from '../features/health/api/index.ts';
export { ExchangeStatus, SwitchImpact, SwitchState } from '../features/kill-switches/api/index.ts';
export {
  Coin,
  Constants,
  EngineLimits,
  FrozenByCommand,
  Health,
  ListedCoin,
  ListedPair,
  Pair,
  RulesVersion,
  Tier,
  TransactionLimit,
  WithdrawalFee,
} from '../features/listings/api/index.ts';
export {
  CHART_RESOLUTION_NAMES,
  type ChartResolutionName,
  candleJson,
  chartResolution,
  MiniChartPoint,
  OraclePrices,
  publicTradeJson,
  publicTradeOfMarketJson,
  tickerJsonBody,
  UDF_RESOLUTIONS,
  UdfConfig,
  UdfSearchResult,
  UdfSymbol,
} from '../features/market-data/api/index.ts';
export { Announcement } from '../features/messages/api/index.ts';
export {
  AddressBook,
  BankAccount,
  DepositOrWithdrawal,
  DepositOrWithdrawalOfUser,
  KnownTransaction,
  NetworkFee,
  NetworkFees,
  PaymentDetail,
  WithdrawalCreated,
} from '../features/payments/api/index.ts';
export { Reveal, RevealedUser } from '../features/pii-access/api/index.ts';
export {
  BalanceOfDay,
  ProfitAndLoss,
  type ProfitOfPeriod,
  TradedVolume,
  TradingVolume,
  UserStats,
} from '../features/portfolio/api/index.ts';
export { ReconciliationState } from '../features/reconciliation/api/index.ts';
export type {
  Affiliation,
  ReferralCode,
  ReferralEarning,
  ReferralPayout,
} from '../features/referral/api/index.ts';
export {
  type AccountStatement,
  type BalanceOfUser,
  type FeeEffects,
  type LedgerBalances,
  type LedgerPosting,
  type LedgerTotals,
  ListExport,
  type LoginOfUser,
  type OperatedExchange,
  type OrderOfUser,
  type RefererOfUser,
  SearchAnswer,
  SearchResult,
  Timeline,
  TotalBalance,
  type WalletOfUser,
} from '../features/reports/api/index.ts';
export {
  type StakeFacts,
  type StakePool,
  type StakePoolOfOperators,
  type Staker,
  stakerJson,
} from '../features/staking/api/index.ts';
export { SharedAccount, SubAccount } from '../features/sub-accounts/api/index.ts';
export {
  Finding,
  FindingDetail,
  FindingEvidence,
  SurveillanceRule,
} from '../features/surveillance/api/index.ts';
export {
  DeadManSwitch,
  fillJson,
  KnownOrder,
  OperatorTrade,
  type OrderFacts,
  OrderIn,
  type OrderStanding,
  type OrderStatus,
  operatorTradeJson,
  orderJson,
  Quote,
  type TradeFacts,
} from '../features/trading/api/index.ts';
export { readBody } from './body-reader.ts';
export { coerceQuery } from './coerce-query.ts';
export { type ErrorKey, errorAnswer, errors, isErrorKey } from './errors.ts';
export { LANGUAGES, missingTranslations, translations } from './languages/translations.ts';
export { openApiDocument } from './openapi.ts';
export {
  type NotTaken,
  notTakenError,
  RETRY_AFTER_S,
  refusalError,
} from './refusal-errors.ts';
export { refusedKeys } from './refused-keys.ts';
export { type RouteGroups, type RouteName, type Routes, routeGroups, routes } from './routes.ts';
export { asyncApiDocument, streamServerMessages } from './stream/async-api.ts';
export { streamClientMessages } from './stream/client-messages.ts';
export type { DifferenceMessage, HealthMessage } from './stream/operator-messages.ts';
export type { DepositMessage, StakeMessage, WithdrawalMessage } from './stream/private-messages.ts';
export type { StreamMessage } from './stream/public-messages.ts';
export {
  CANCEL_ON_DISCONNECT_MAX,
  CANCEL_ON_DISCONNECT_MIN,
  STREAM_ANSWERS_MAX,
  STREAM_ARGS_MAX,
  STREAM_CLIENT_BUDGET,
  STREAM_IDLE_MS,
  STREAM_MESSAGE_BYTES_MAX,
  STREAM_MESSAGES_MAX,
  STREAM_MESSAGES_WITHIN_MS,
  STREAM_PATH,
  STREAM_PING_BYTES_MAX,
  STREAM_PINGS_MAX,
  STREAM_REFUSALS_MAX,
  STREAM_TOPIC_LENGTH_MAX,
} from './stream/stream-limits.ts';
export { type CloseReason, closeReasons, streamTexts } from './stream/stream-texts.ts';
export {
  BODY_BYTES_MAX,
  type BodyOf,
  decimal,
  type ListQuery,
  Notice,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
  type Route,
  timeText,
  timeTextOrNull,
  WEIGHT_FILE,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
  type WireDecimal,
} from './wire/index.ts';
