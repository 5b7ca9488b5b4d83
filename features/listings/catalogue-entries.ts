// Types of the catalog's entries: the log's part, to convert decimals to whole numbers and back,
// and the operators' part, to show. Decimals are strings. Entries never change.

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
  /** In atoms of the quote: value of one lot at one tick. */
  readonly tickLotAtoms: Atoms;
  readonly minPriceTicks: Ticks;
  readonly maxPriceTicks: Ticks;
  readonly minSizeLots: Lots;
  readonly maxSizeLots: Lots;
  /** As last set by an operator; the engine moves it with trades. */
  readonly referenceTicks: Ticks;
  readonly bandPpm: Ppm;
  readonly slippagePpm: Ppm;
  readonly status: MarketStatus;
  /** Null if no auction runs, or if an operator ends it. */
  readonly auctionEndsAtMs: number | null;
  readonly listedAtMs: number;
  readonly updatedAtMs: number;
}

export type CoinType = 'blockchain' | 'fiat' | 'other';

/** Fee of a withdrawal over one network. */
export interface WithdrawalFeeEntry {
  readonly value: string;
  /** Symbol of the coin in which it is paid. */
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
  /** By network; null if the coin has no fees by network. */
  readonly withdrawalFees: ReadonlyMap<string, WithdrawalFeeEntry> | null;
  readonly min: string;
  readonly max: string;
  readonly incrementUnit: string;
  readonly estimatedPrice: string | null;
  readonly description: string | null;
  /** Display text; several networks are separated by commas. */
  readonly network: string;
  /** Empty if the coin names none. */
  readonly networks: readonly string[];
  readonly standard: string;
  readonly issuer: string;
  readonly logo: string;
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
  /** Also false if the market is delisted in the log. */
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
  /** By market symbol: the engine's fees before a user's discount. */
  readonly fees: ReadonlyMap<string, FeeRates>;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** 0 for unlimited, -1 for disabled. */
export interface QuickTradeEntry {
  readonly symbol: string;
  readonly type: 'pro';
  readonly active: boolean;
}

/** JSON that clients receive. */
export type Kit = Readonly<Record<string, unknown>>;

/** Something stopped by a kill switch; '' as the object is the entire exchange. */
export interface StopEntry {
  readonly name: string;
  readonly object: string;
  /** Text for users; '' if there is none. */
  readonly banner: string;
  readonly sinceMs: number;
}

/** An operator's text for all users. */
export interface BannerEntry {
  readonly kind: 'info' | 'warning' | 'incident';
  readonly text: string;
  readonly sinceMs: number;
}

/** The entire catalog at one time. Maps are in the order of listing. */
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
  /** When the exchange's tables were created. */
  readonly createdAtMs: number;
  readonly stops: readonly StopEntry[];
  readonly banner: BannerEntry | undefined;
}
