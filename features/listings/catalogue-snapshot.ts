// Builds a snapshot of the catalog from the rows of its tables. Assets and markets without a
// description are shown with defaults, and cannot be deposited or withdrawn.

import {
  type AssetId,
  ATOMS_MAX,
  type Atoms,
  decimalFromAtoms,
  decimalFromTicks,
  type MarketId,
  type Ppm,
} from '../../core/money/index.ts';
import type { TransactionLimit } from '../accounts/index.ts';
import type {
  AssetEntry,
  BannerEntry,
  CatalogueNow,
  CoinEntry,
  FeeRates,
  MarketEntry,
  PairEntry,
  QuickTradeEntry,
  StopEntry,
  TierEntry,
  WithdrawalFeeEntry,
} from './catalogue-entries.ts';
import type { CatalogueRows, Row } from './catalogue-rows.ts';
import { kitWith } from './kit.ts';

export function makeSnapshot(rows: CatalogueRows): CatalogueNow {
  const assets = rows.assets.map(assetOf);
  const assetsById = new Map<number, AssetEntry>(assets.map((entry) => [entry.asset, entry]));
  const markets = rows.markets.map((row) => marketOf(row, assetsById));
  const described = bySymbol(rows.coins);
  const describedPairs = bySymbol(rows.pairs);
  const pairs = markets.map((market) => pairOf(market, describedPairs.get(market.symbol)));
  const conversions = bySymbol(rows.quick_trade);
  const createdAtMs = Number(rows.migrations[0]?.applied_at_ms);
  return Object.freeze({
    assetsById,
    assetsBySymbol: bySymbol(assets),
    marketsById: new Map<number, MarketEntry>(markets.map((entry) => [entry.market, entry])),
    marketsBySymbol: bySymbol(markets),
    coins: bySymbol(assets.map((asset) => coinOf(asset, described.get(asset.symbol)))),
    pairs: bySymbol(pairs),
    tiers: tiersOf(rows, markets),
    quickTrades: bySymbol(pairs.map((pair) => quickTradeOf(pair, conversions.get(pair.symbol)))),
    limits: rows.transaction_limits.map(limitOf),
    kit: kitWith(rows.kit[0]?.content ?? {}, createdAtMs),
    createdAtMs,
    stops: rows.stops.map(stopOf),
    banner: rows.exchange_banner.map(bannerOf)[0],
  });
}

function bySymbol<Entry extends { readonly symbol: string }>(
  entries: readonly Entry[],
): Map<string, Entry> {
  return new Map(entries.map((entry) => [entry.symbol, entry]));
}

function assetOf(row: Row): AssetEntry {
  return {
    asset: Number(row.id) as AssetId,
    symbol: row.symbol,
    scale: Number(row.scale),
    issuanceCapAtoms: BigInt(row.issuance_cap_atoms) as Atoms,
    listedAtMs: Number(row.listed_at_ms),
  };
}

function marketOf(row: Row, assets: ReadonlyMap<number, AssetEntry>): MarketEntry {
  const base = assets.get(Number(row.base_id));
  const quote = assets.get(Number(row.quote_id));
  if (base === undefined || quote === undefined) {
    throw new Error(`market ${row.name} names an unlisted asset`);
  }
  const whole = <Unit extends number>(text: string): Unit => Number(text) as Unit;
  return {
    market: whole(row.id),
    symbol: row.name,
    base,
    quote,
    lot: { atoms: BigInt(row.lot_atoms) as Atoms, scale: base.scale },
    tick: { mantissa: Number(row.tick_mantissa), scale: Number(row.tick_scale) },
    tickLotAtoms: BigInt(row.tick_lot_atoms) as Atoms,
    minPriceTicks: whole(row.min_price_ticks),
    maxPriceTicks: whole(row.max_price_ticks),
    minSizeLots: whole(row.min_size_lots),
    maxSizeLots: whole(row.max_size_lots),
    referenceTicks: whole(row.reference_ticks),
    bandPpm: whole(row.band_ppm),
    slippagePpm: whole(row.slippage_ppm),
    status: row.status,
    auctionEndsAtMs: row.auction_ends_at_ms === null ? null : Number(row.auction_ends_at_ms),
    listedAtMs: Number(row.listed_at_ms),
    updatedAtMs: Number(row.updated_at_ms),
  };
}

function coinOf(asset: AssetEntry, row: Row): CoinEntry {
  const { listedAtMs, scale, symbol } = asset;
  const atom = decimalFromAtoms(1n as Atoms, scale);
  return {
    asset,
    symbol,
    fullname: row?.fullname ?? symbol.toUpperCase(),
    type: row?.type ?? 'blockchain',
    verified: row?.verified ?? true,
    isPublic: row?.is_public ?? true,
    active: row?.active ?? true,
    allowDeposit: row?.allow_deposit ?? false,
    allowWithdrawal: row?.allow_withdrawal ?? false,
    withdrawalFee: row?.withdrawal_fee ?? '0',
    withdrawalFees: row?.has_withdrawal_fees ? withdrawalFeesOf(symbol, row) : null,
    min: row?.min ?? atom,
    max: row?.max ?? decimalFromAtoms(ATOMS_MAX, scale),
    incrementUnit: row?.increment_unit ?? atom,
    estimatedPrice: row?.estimated_price ?? null,
    description: row?.description ?? null,
    network: row?.network ?? '',
    networks: networksOf(row?.network),
    standard: row?.standard ?? '',
    issuer: row?.issuer ?? '',
    logo: row?.logo ?? '',
    meta: row?.meta ?? {},
    createdBy: Number(row?.created_by ?? 0),
    createdAtMs: Number(row?.created_at_ms ?? listedAtMs),
    updatedAtMs: Number(row?.updated_at_ms ?? listedAtMs),
  };
}

/** Returns the names in the text of a coin's networks. */
export function networksOf(text: string | null | undefined): string[] {
  const names = text?.split(',').map((name) => name.trim()) ?? [];
  return names.filter((name) => name !== '');
}

export const PLAIN_DECIMAL = /^(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,30})?$/;

/** A malformed fee is ignored. */
function withdrawalFeesOf(symbol: string, row: Row): Map<string, WithdrawalFeeEntry> {
  const entries = Object.entries<Row>(row.withdrawal_fees);
  return new Map(
    entries.map(([network, fee]) => {
      const [min, max] = [fee.min ?? null, fee.max ?? null];
      const decimals = [fee.value, min ?? '0', max ?? '0'];
      const isClear = decimals.every((text) => PLAIN_DECIMAL.test(text ?? ''));
      const amounts = isClear ? { value: fee.value, min, max } : UNCLEAR_AMOUNTS;
      const active = isClear && fee.active !== false;
      const [paidIn, type] = [fee.symbol ?? symbol, fee.type ?? 'static'];
      return [network, { ...amounts, symbol: paidIn, active, type }];
    }),
  );
}

const UNCLEAR_AMOUNTS = { value: '0', min: null, max: null };

function pairOf(market: MarketEntry, row: Row): PairEntry {
  const { status, symbol } = market;
  const isGone = status === 'delisted' || status === 'inactive';
  return {
    market,
    symbol,
    verified: row?.verified ?? true,
    isPublic: row?.is_public ?? true,
    active: !isGone && (row?.active ?? true),
    estimatedPrice: row?.estimated_price ?? referencePriceOf(market),
    createdBy: Number(row?.created_by ?? 0),
    createdAtMs: Number(row?.created_at_ms ?? market.listedAtMs),
    // The later of the market's change and its description's.
    updatedAtMs: Math.max(Number(row?.updated_at_ms ?? 0), market.updatedAtMs),
  };
}

/** Null for a market listed without a reference. */
function referencePriceOf({ referenceTicks, tick }: MarketEntry): string | null {
  return referenceTicks === 0 ? null : decimalFromTicks(referenceTicks, tick);
}

function quickTradeOf({ active, symbol }: PairEntry, row: Row): QuickTradeEntry {
  return { symbol, type: 'pro', active: active && (row?.active ?? true) };
}

// Tier of users who have no other.
const FIRST_TIER = 1;
const NO_FEES: FeeRates = { makerPpm: 0 as Ppm, takerPpm: 0 as Ppm };

/** Tiers with a description or fees. */
function tiersOf(rows: CatalogueRows, markets: readonly MarketEntry[]): Map<number, TierEntry> {
  const rates = new Map<string, FeeRates>();
  for (const row of rows.market_fees) {
    const [makerPpm, takerPpm] = [Number(row.maker_ppm) as Ppm, Number(row.taker_ppm) as Ppm];
    rates.set(`${row.tier} ${row.market_id}`, { makerPpm, takerPpm });
  }
  const described = new Map(rows.tiers.map((row) => [Number(row.id), row]));
  const withFees = rows.market_fees.map((row) => Number(row.tier));
  const numbers = new Set([FIRST_TIER, ...described.keys(), ...withFees]);
  const feesOf = (tier: number, market: MarketId) => rates.get(`${tier} ${market}`) ?? NO_FEES;
  return new Map(
    [...numbers]
      .sort((a, b) => a - b)
      .map((tier) => {
        const fees = markets.map(({ market, symbol }) => [symbol, feesOf(tier, market)] as const);
        return [tier, tierOf(tier, new Map(fees), described.get(tier))];
      }),
  );
}

function tierOf(tier: number, fees: ReadonlyMap<string, FeeRates>, row: Row): TierEntry {
  return {
    tier,
    fees,
    name: row?.name ?? `tier ${tier}`,
    icon: row?.icon ?? '',
    description: row?.description ?? '',
    note: row?.note ?? '',
    depositLimit: row?.deposit_limit ?? '0',
    withdrawalLimit: row?.withdrawal_limit ?? '0',
    nativeCurrencyLimit: row?.native_currency_limit ?? false,
    createdAtMs: Number(row?.created_at_ms ?? 0),
    updatedAtMs: Number(row?.updated_at_ms ?? 0),
  };
}

function limitOf(row: Row): TransactionLimit {
  return {
    id: Number(row.id),
    tier: Number(row.tier),
    type: row.type,
    currency: row.currency,
    limitCurrency: row.limit_currency,
    amount: row.amount,
    monthlyAmount: row.monthly_amount,
  };
}

function stopOf({ banner, name, object, stopped_at_ms }: Row): StopEntry {
  return { name, object, banner, sinceMs: Number(stopped_at_ms) };
}

function bannerOf({ kind, set_at_ms, text }: Row): BannerEntry {
  return { kind, text, sinceMs: Number(set_at_ms) };
}
