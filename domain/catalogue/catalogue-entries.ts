// What a gateway knows of everything that is listed: the log's part, to turn decimals into whole
// numbers and back, and the operators' part, to show. Decimals are plain texts. Nothing changes.

import type { MarketStatus } from '../../core/messages/index.ts';
import type {
  AssetId,
  Atoms,
  LotSize,
  Lots,
  MarketId,
  Ppm,
  TickSize,
  Ticks,
} from '../../core/money/index.ts';
import type { TransactionLimit } from '../accounts/index.ts';

export interface AssetEntry {
  readonly asset: AssetId;
  readonly symbol: string;
  readonly scale: number;
  readonly issuanceCapAtoms: Atoms;
  readonly listedAtMs: number;
}

export interface MarketEntry {
  readonly market: MarketId;
  /** `base-quote`. */
  readonly symbol: string;
  readonly base: AssetEntry;
  readonly quote: AssetEntry;
  readonly lot: LotSize;
  readonly tick: TickSize;
  /** Of the quote: what one lot at one tick is worth. */
  readonly tickLotAtoms: Atoms;
  readonly minPriceTicks: Ticks;
  readonly maxPriceTicks: Ticks;
  readonly minSizeLots: Lots;
  readonly maxSizeLots: Lots;
  /** As it was last set by an operator; trades move it further in the engine alone. */
  readonly referenceTicks: Ticks;
  readonly bandPpm: Ppm;
  readonly slippagePpm: Ppm;
  readonly status: MarketStatus;
  readonly listedAtMs: number;
  readonly updatedAtMs: number;
}

export type CoinType = 'blockchain' | 'fiat' | 'other';

/** What a withdrawal costs over one network. */
export interface WithdrawalFeeEntry {
  readonly value: string;
  /** Of the coin in which it is paid. */
  readonly symbol: string;
  readonly active: boolean;
  readonly type: string;
  readonly min: string | null;
  readonly max: string | null;
}

export interface CoinEntry {
  readonly asset: AssetEntry;
  readonly symbol: string;
  readonly fullname: string;
  readonly type: CoinType;
  readonly verified: boolean;
  readonly isPublic: boolean;
  readonly active: boolean;
  readonly allowDeposit: boolean;
  readonly allowWithdrawal: boolean;
  readonly withdrawalFee: string;
  /** By network; null when the coin has no fees by network. */
  readonly withdrawalFees: ReadonlyMap<string, WithdrawalFeeEntry> | null;
  readonly min: string;
  readonly max: string;
  readonly incrementUnit: string;
  readonly estimatedPrice: string | null;
  readonly description: string | null;
  /** Of several networks the names with commas between them. */
  readonly network: string | null;
  readonly standard: string | null;
  readonly issuer: string | null;
  readonly logo: string | null;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly createdBy: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface PairEntry {
  readonly market: MarketEntry;
  readonly symbol: string;
  readonly verified: boolean;
  readonly isPublic: boolean;
  /** Also false when the log says that the market is gone. */
  readonly active: boolean;
  readonly estimatedPrice: string | null;
  readonly createdBy: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface FeeRates {
  readonly makerPpm: Ppm;
  readonly takerPpm: Ppm;
}

export interface TierEntry {
  readonly tier: number;
  readonly name: string;
  readonly icon: string;
  readonly description: string;
  readonly note: string;
  readonly depositLimit: string;
  readonly withdrawalLimit: string;
  readonly nativeCurrencyLimit: boolean;
  /** Of every market, by its symbol: what the engine takes before a user's discount. */
  readonly fees: ReadonlyMap<string, FeeRates>;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** Amounts: 0 is no limit, -1 is not at all. */
export interface QuickTradeEntry {
  readonly symbol: string;
  readonly type: 'pro';
  readonly active: boolean;
}

/** As a client gets it: JSON. */
export type Kit = Readonly<Record<string, unknown>>;

/** Everything as it was at one moment. Maps are in the order of listing. */
export interface CatalogueNow {
  readonly assetsBySymbol: ReadonlyMap<string, AssetEntry>;
  readonly assetsById: ReadonlyMap<number, AssetEntry>;
  readonly marketsBySymbol: ReadonlyMap<string, MarketEntry>;
  readonly marketsById: ReadonlyMap<number, MarketEntry>;
  readonly coins: ReadonlyMap<string, CoinEntry>;
  readonly pairs: ReadonlyMap<string, PairEntry>;
  readonly tiers: ReadonlyMap<number, TierEntry>;
  readonly quickTrades: ReadonlyMap<string, QuickTradeEntry>;
  readonly limits: readonly TransactionLimit[];
  readonly kit: Kit;
}
