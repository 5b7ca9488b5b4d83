// Everything that is listed, with its public names: coins, pairs, conversions and limits. Pure.

import { priceText, sizeText } from '../../../core/market-data/index.ts';
import type { Ticks } from '../../../core/money/index.ts';
import {
  type Coin,
  type Constants,
  decimal,
  type Pair,
  type TransactionLimit,
  timeText,
  type WithdrawalFee,
} from '../../../protocol/index.ts';
import type { TransactionLimit as LimitEntry } from '../../accounts/index.ts';
import type {
  CatalogueNow,
  CoinEntry,
  PairEntry,
  WithdrawalFeeEntry,
} from '../catalogue-entries.ts';

export function constantsOf(now: CatalogueNow, network: string, isDemo: boolean): Constants {
  return {
    coins: Object.fromEntries([...now.coins].map(([symbol, coin]) => [symbol, coinOf(coin)])),
    pairs: Object.fromEntries([...now.pairs].map(([symbol, pair]) => [symbol, pairOf(pair)])),
    broker: [],
    quicktrade: [...now.quickTrades.values()].map((entry) => ({ ...entry })),
    transactionLimits: now.limits.map(limitOf),
    networkQuickTrades: [],
    network,
    ...(isDemo ? { demo: true } : {}),
  };
}

export function coinOf(coin: CoinEntry): Coin {
  const { asset, symbol } = coin;
  return {
    id: asset.asset,
    fullname: coin.fullname,
    symbol,
    code: symbol,
    active: coin.active,
    verified: coin.verified,
    allow_deposit: coin.allowDeposit,
    allow_withdrawal: coin.allowWithdrawal,
    is_public: coin.isPublic,
    withdrawal_fee: decimal(coin.withdrawalFee),
    withdrawal_fees: feesOf(coin.withdrawalFees),
    min: decimal(coin.min),
    max: decimal(coin.max),
    increment_unit: decimal(coin.incrementUnit),
    estimated_price: decimalOrNull(coin.estimatedPrice),
    description: coin.description,
    type: coin.type,
    network: coin.network,
    standard: coin.standard,
    issuer: coin.issuer,
    logo: coin.logo,
    meta: { ...coin.meta },
    created_at: timeText(coin.createdAtMs),
    updated_at: timeText(coin.updatedAtMs),
    created_by: coin.createdBy,
  };
}

function feesOf(fees: CoinEntry['withdrawalFees']): Record<string, WithdrawalFee> | null {
  if (fees === null) return null;
  return Object.fromEntries([...fees].map(([network, fee]) => [network, feeOf(fee)]));
}

function feeOf({ active, max, min, symbol, type, value }: WithdrawalFeeEntry): WithdrawalFee {
  const bounds = { min: decimalOrNull(min), max: decimalOrNull(max) };
  return { value: decimal(value), symbol, active, type, ...bounds };
}

export function pairOf(pair: PairEntry): Pair {
  const { market, symbol } = pair;
  return {
    id: market.market,
    name: symbol,
    code: symbol,
    pair_base: market.base.symbol,
    pair_2: market.quote.symbol,
    min_size: decimal(sizeText(market, market.minSizeLots)),
    max_size: decimal(sizeText(market, market.maxSizeLots)),
    increment_size: decimal(sizeText(market, 1 as typeof market.minSizeLots)),
    min_price: decimal(priceText(market, market.minPriceTicks)),
    max_price: decimal(priceText(market, market.maxPriceTicks)),
    increment_price: decimal(priceText(market, 1 as Ticks)),
    active: pair.active,
    verified: pair.verified,
    is_public: pair.isPublic,
    status: market.status,
    auction_ends_at: market.auctionEndsAtMs === null ? null : timeText(market.auctionEndsAtMs),
    estimated_price: decimalOrNull(pair.estimatedPrice ?? referenceText(pair)),
    created_at: timeText(pair.createdAtMs),
    updated_at: timeText(pair.updatedAtMs),
    created_by: pair.createdBy,
  };
}

/** Without an estimated price, the operator's reference price is used. */
function referenceText({ market }: PairEntry): string | null {
  return market.referenceTicks > 0 ? priceText(market, market.referenceTicks) : null;
}

export function limitOf(limit: LimitEntry): TransactionLimit {
  return {
    id: limit.id,
    tier: limit.tier,
    type: limit.type,
    currency: limit.currency,
    limit_currency: limit.limitCurrency,
    amount: decimal(limit.amount),
    monthly_amount: decimal(limit.monthlyAmount),
  };
}

function decimalOrNull(text: string | null) {
  return text === null ? null : decimal(text);
}
