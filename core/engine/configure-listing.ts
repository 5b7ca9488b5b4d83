// Lists assets and markets. A market's parameters must keep every later sum exact: notionals are
// whole atoms, the smallest fill is worth two atoms, and the largest order fits 62 bits.

import type { ListAsset, ListMarket, Refusal, SetIssuanceCap } from '../messages/index.ts';
import {
  type AssetId,
  ATOMS_MAX,
  type Atoms,
  type CommandNumber,
  type MarketId,
  type Ppm,
  type Ticks,
  type TimeMs,
} from '../money/index.ts';
import { assert } from '../structures/index.ts';
import { type Asset, assetOf, type Exchange } from './exchange.ts';
import { FEE_TIERS, type Market, setReference } from './market.ts';

const SYMBOL = /^[a-z0-9]{1,15}$/;
const SCALE_MAX = 18;
const TICK_SCALE_MAX = 30;
/** Below this, a fee of one half, rounded up, could take an entire fill. */
const SMALLEST_FILL_ATOMS = 2n;

export function listAsset(exchange: Exchange, command: ListAsset): Refusal {
  const { symbol, scale, issuanceCapAtoms } = command;
  if (!SYMBOL.test(symbol)) return 'symbol_must_be_valid';
  if (exchange.assets.some((asset) => asset.symbol === symbol)) return 'symbol_already_listed';
  if (exchange.assets.length >= exchange.limits.assetsMax) {
    return 'exchange_asset_capacity_reached';
  }
  if (scale < 0 || scale > SCALE_MAX) return 'scale_out_of_range';
  if (!isCap(issuanceCapAtoms)) return 'issuance_cap_out_of_range';
  const asset = (exchange.assets.length + 1) as AssetId;
  exchange.assets.push({ id: asset, symbol, scale });
  exchange.ledger.openAsset(asset, issuanceCapAtoms);
  exchange.events.push({
    kind: 'AssetListed',
    command: exchange.command,
    asset,
    symbol,
    scale,
    issuanceCapAtoms,
  });
  return 'none';
}

export function setIssuanceCap(exchange: Exchange, command: SetIssuanceCap): Refusal {
  const { asset, issuanceCapAtoms } = command;
  if (assetOf(exchange, asset) === undefined) return 'asset_must_exist';
  if (!isCap(issuanceCapAtoms)) return 'issuance_cap_out_of_range';
  if (issuanceCapAtoms < exchange.ledger.issuedAtoms(asset)) return 'issuance_cap_below_issued';
  exchange.ledger.setIssuanceCapAtoms(asset, issuanceCapAtoms);
  const { command: cause } = exchange;
  exchange.events.push({ kind: 'IssuanceCapSet', command: cause, asset, issuanceCapAtoms });
  return 'none';
}

export function listMarket(exchange: Exchange, command: ListMarket): Refusal {
  const base = assetOf(exchange, command.base);
  const quote = assetOf(exchange, command.quote);
  if (base === undefined || quote === undefined) return 'asset_must_exist';
  if (base === quote) return 'base_and_quote_must_be_different';
  if (exchange.markets.some((one) => one.base === base.id && one.quote === quote.id)) {
    return 'symbol_already_listed';
  }
  if (exchange.markets.length >= exchange.limits.marketsMax) {
    return 'exchange_market_capacity_reached';
  }
  const tickLotAtoms = tickLotAtomsOf(command, base, quote);
  const refusal = refuseNumbers(command, tickLotAtoms);
  if (refusal !== 'none') return refusal;
  assert(tickLotAtoms !== undefined, 'a market with valid parameters has whole notionals');

  const id = (exchange.markets.length + 1) as MarketId;
  const { kind: _, source: __, number: ___, ...terms } = command;
  exchange.markets.push(newMarket(exchange, id, tickLotAtoms, command));
  const { command: cause } = exchange;
  exchange.events.push({
    kind: 'MarketListed',
    command: cause,
    market: id,
    tickLotAtoms,
    ...terms,
  });
  return 'none';
}

/** Quote atoms of one lot at one tick; undefined if that is not a whole number. */
function tickLotAtomsOf(command: ListMarket, base: Asset, quote: Asset): Atoms | undefined {
  const { lotAtoms, tickMantissa, tickScale } = command;
  if (refuseIncrements(command) !== 'none') return undefined;
  const dividend = lotAtoms * BigInt(tickMantissa) * 10n ** BigInt(quote.scale);
  const divisor = 10n ** BigInt(base.scale + tickScale);
  return dividend % divisor === 0n ? ((dividend / divisor) as Atoms) : undefined;
}

function refuseIncrements({ lotAtoms, tickMantissa, tickScale }: ListMarket): Refusal {
  const lotFits = lotAtoms >= 1n && lotAtoms <= ATOMS_MAX;
  const tickFits = tickMantissa >= 1 && tickScale >= 0 && tickScale <= TICK_SCALE_MAX;
  return lotFits && tickFits ? 'none' : 'lot_and_tick_must_be_positive';
}

function refuseNumbers(command: ListMarket, tickLotAtoms: Atoms | undefined): Refusal {
  const { lotAtoms, minPriceTicks, maxPriceTicks, minSizeLots, maxSizeLots } = command;
  const increments = refuseIncrements(command);
  if (increments !== 'none') return increments;
  if (tickLotAtoms === undefined) return 'lot_times_tick_must_be_whole_quote_atoms';
  if (minPriceTicks < 1 || minPriceTicks > maxPriceTicks) return 'price_range_must_be_valid';
  if (minSizeLots < 1 || minSizeLots > maxSizeLots) return 'size_range_must_be_valid';
  const smallestQuote = tickLotAtoms * BigInt(minPriceTicks);
  if (lotAtoms < SMALLEST_FILL_ATOMS || smallestQuote < SMALLEST_FILL_ATOMS) {
    return 'smallest_fill_must_be_worth_two_atoms';
  }
  const largestBase = lotAtoms * BigInt(maxSizeLots);
  const largestQuote = tickLotAtoms * BigInt(maxPriceTicks) * BigInt(maxSizeLots);
  if (largestBase > ATOMS_MAX || largestQuote > ATOMS_MAX) {
    return 'largest_order_must_fit_the_ledger';
  }
  return isReference(command, command.referenceTicks) ? 'none' : 'reference_price_out_of_range';
}

/** 0 for none, or a price within the market's bounds. */
export function isReference(
  bounds: Pick<Market, 'minPriceTicks' | 'maxPriceTicks'>,
  referenceTicks: Ticks,
): boolean {
  if (referenceTicks === 0) return true;
  return referenceTicks >= bounds.minPriceTicks && referenceTicks <= bounds.maxPriceTicks;
}

function newMarket(
  exchange: Exchange,
  id: MarketId,
  tickLotAtoms: Atoms,
  command: ListMarket,
): Market {
  const market: Market = {
    id,
    base: command.base,
    quote: command.quote,
    lotAtoms: command.lotAtoms,
    tickMantissa: command.tickMantissa,
    tickScale: command.tickScale,
    tickLotAtoms,
    minPriceTicks: command.minPriceTicks,
    maxPriceTicks: command.maxPriceTicks,
    minSizeLots: command.minSizeLots,
    maxSizeLots: command.maxSizeLots,
    listedTicks: command.referenceTicks,
    status: command.status,
    auctionEndsMs: 0 as TimeMs,
    isUncrossing: false,
    auctionTicks: 0 as Ticks,
    frozenBy: 0 as CommandNumber,
    lastTicks: 0 as Ticks,
    bandPpm: 0 as Ppm,
    slippagePpm: 0 as Ppm,
    referenceTicks: 0 as Ticks,
    referenceSetMs: exchange.timeMs,
    highestTicks: 0 as Ticks,
    lowestTicks: 0 as Ticks,
    makerPpmByTier: new Int32Array(FEE_TIERS),
    takerPpmByTier: new Int32Array(FEE_TIERS),
  };
  setReference(market, command.referenceTicks, exchange.timeMs);
  return market;
}

function isCap(atoms: Atoms): boolean {
  return atoms >= 1n && atoms <= ATOMS_MAX;
}
