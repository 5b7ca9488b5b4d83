// Listing assets and markets. Sections 1 and 10 of the rules.

import type { ListAsset, ListMarket, Refusal, SetIssuanceCap } from '../../core/messages/index.ts';
import { isWholeWithin, LARGEST_AMOUNT } from './exact-arithmetic.ts';
import { issuedOf, openSystemAccounts } from './reference-ledger.ts';
import { emit, findAsset, type ReferenceState } from './reference-state.ts';

export function listAsset(state: ReferenceState, command: ListAsset): Refusal | undefined {
  const { symbol, scale, issuanceCapAtoms } = command;
  if (!/^[a-z0-9]{1,15}$/.test(symbol)) return 'symbol_must_be_valid';
  if (state.assets.some((asset) => asset.symbol === symbol)) return 'symbol_already_listed';
  if (state.assets.length >= state.limits.assetsMax) return 'exchange_asset_capacity_reached';
  if (!isWholeWithin(scale, 0, 18)) return 'scale_out_of_range';
  if (!isCap(issuanceCapAtoms)) return 'issuance_cap_out_of_range';
  const id = state.assets.length + 1;
  state.assets.push({ id, symbol, scale, issuanceCapAtoms });
  openSystemAccounts(state.ledger, id);
  emit(state, { kind: 'AssetListed', asset: id, symbol, scale, issuanceCapAtoms });
  return undefined;
}

export function setIssuanceCap(
  state: ReferenceState,
  command: SetIssuanceCap,
): Refusal | undefined {
  const asset = findAsset(state, command.asset);
  if (asset === undefined) return 'asset_must_exist';
  if (!isCap(command.issuanceCapAtoms)) return 'issuance_cap_out_of_range';
  if (command.issuanceCapAtoms < issuedOf(state.ledger, asset.id)) {
    return 'issuance_cap_below_issued';
  }
  asset.issuanceCapAtoms = command.issuanceCapAtoms;
  const { issuanceCapAtoms } = command;
  emit(state, { kind: 'IssuanceCapSet', asset: asset.id, issuanceCapAtoms });
  return undefined;
}

function isCap(atoms: bigint): boolean {
  return atoms >= 1n && atoms <= LARGEST_AMOUNT;
}

export function listMarket(state: ReferenceState, command: ListMarket): Refusal | undefined {
  const base = findAsset(state, command.base);
  const quote = findAsset(state, command.quote);
  if (base === undefined || quote === undefined) return 'asset_must_exist';
  if (base === quote) return 'base_and_quote_must_be_different';
  const isListed = state.markets.some((one) => one.base === base.id && one.quote === quote.id);
  if (isListed) return 'symbol_already_listed';
  if (state.markets.length >= state.limits.marketsMax) return 'exchange_market_capacity_reached';
  const { lotAtoms, tickMantissa, tickScale, minPriceTicks, maxPriceTicks } = command;
  const areLotAndTickPositive =
    lotAtoms >= 1n &&
    lotAtoms <= LARGEST_AMOUNT &&
    isWholeWithin(tickMantissa, 1, Number.MAX_SAFE_INTEGER) &&
    isWholeWithin(tickScale, 0, 30);
  if (!areLotAndTickPositive) return 'lot_and_tick_must_be_positive';
  const numerator = lotAtoms * BigInt(tickMantissa) * 10n ** BigInt(quote.scale);
  const denominator = 10n ** BigInt(base.scale + tickScale);
  if (numerator % denominator !== 0n) return 'lot_times_tick_must_be_whole_quote_atoms';
  const tickLotAtoms = numerator / denominator;
  const refusal = checkRanges(command, tickLotAtoms);
  if (refusal !== undefined) return refusal;

  const { minSizeLots, maxSizeLots, referenceTicks, status } = command;
  const id = state.markets.length + 1;
  const bounds = { minPriceTicks, maxPriceTicks, minSizeLots, maxSizeLots };
  const pair = { base: base.id, quote: quote.id, lotAtoms };
  state.markets.push({
    id,
    ...pair,
    tickLotAtoms,
    ...bounds,
    status,
    auctionEndsMs: 0,
    isUncrossing: false,
    auctionTicks: 0,
    listingReferenceTicks: referenceTicks,
    feesByTier: new Map(),
    frozenBy: 0,
    lastPriceTicks: 0,
    bandPpm: 0,
    slippagePpm: 0,
    referenceTicks,
    referenceSetAtMs: state.timeMs,
    bids: [],
    asks: [],
    waitingStops: [],
    readyStops: [],
  });
  const tick = { tickMantissa, tickScale, tickLotAtoms };
  emit(state, {
    kind: 'MarketListed',
    market: id,
    ...pair,
    ...tick,
    ...bounds,
    referenceTicks,
    status,
  });
  return undefined;
}

function checkRanges(command: ListMarket, tickLotAtoms: bigint): Refusal | undefined {
  const { lotAtoms, minPriceTicks, maxPriceTicks, minSizeLots, maxSizeLots } = command;
  if (!isRange(minPriceTicks, maxPriceTicks)) return 'price_range_must_be_valid';
  if (!isRange(minSizeLots, maxSizeLots)) return 'size_range_must_be_valid';
  if (lotAtoms < 2n || tickLotAtoms * BigInt(minPriceTicks) < 2n) {
    return 'smallest_fill_must_be_worth_two_atoms';
  }
  const largestQuoteAtoms = tickLotAtoms * BigInt(maxPriceTicks) * BigInt(maxSizeLots);
  const largestBaseAtoms = lotAtoms * BigInt(maxSizeLots);
  if (largestQuoteAtoms > LARGEST_AMOUNT || largestBaseAtoms > LARGEST_AMOUNT) {
    return 'largest_order_must_fit_the_ledger';
  }
  return checkReferencePrice(command.referenceTicks, command);
}

export function checkReferencePrice(
  referenceTicks: number,
  { minPriceTicks, maxPriceTicks }: { minPriceTicks: number; maxPriceTicks: number },
): Refusal | undefined {
  const isInRange =
    referenceTicks === 0 || isWholeWithin(referenceTicks, minPriceTicks, maxPriceTicks);
  return isInRange ? undefined : 'reference_price_out_of_range';
}

function isRange(lowest: number, highest: number): boolean {
  return (
    isWholeWithin(lowest, 1, Number.MAX_SAFE_INTEGER) &&
    isWholeWithin(highest, lowest, Number.MAX_SAFE_INTEGER)
  );
}
