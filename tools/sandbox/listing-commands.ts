// Commands that list the assets and markets in a seed plan, with fees and bands.

import type { Command, ListAsset } from '../../core/messages/index.ts';
import {
  type AssetId,
  atomsFromDecimal,
  type DecimalResult,
  lotsFromDecimal,
  type MarketId,
  type Ppm,
  ticksFromDecimal,
} from '../../core/money/index.ts';
import { type AssetPlan, BAND_PPM, type MarketPlan, SLIPPAGE_PPM, TIERS } from './seed-plan.ts';

type WithoutId<Kind> = Kind extends unknown ? Omit<Kind, 'source' | 'number'> : never;
export type CommandBody = WithoutId<Command>;

/** An asset that was listed. */
export interface ListedAsset {
  readonly id: AssetId;
  readonly scale: number;
}

export function assetListing(plan: AssetPlan): WithoutId<ListAsset> {
  const { description, issuanceCap, scale } = plan;
  const issuanceCapAtoms = exactly(atomsFromDecimal(issuanceCap, scale));
  return { kind: 'ListAsset', symbol: description.symbol, scale, issuanceCapAtoms };
}

export function marketListing(
  plan: MarketPlan,
  assets: ReadonlyMap<string, ListedAsset>,
): CommandBody {
  const [base, quote] = [assets.get(plan.base)!, assets.get(plan.quote)!];
  const { tickMantissa, tickScale } = plan;
  const lotAtoms = exactly(atomsFromDecimal(plan.lot, base.scale));
  const ticks = (text: string) =>
    exactly(ticksFromDecimal(text, { mantissa: tickMantissa, scale: tickScale }));
  const lots = (text: string) =>
    exactly(lotsFromDecimal(text, { atoms: lotAtoms, scale: base.scale }));
  return {
    kind: 'ListMarket',
    base: base.id,
    quote: quote.id,
    lotAtoms,
    tickMantissa,
    tickScale,
    minPriceTicks: ticks(plan.minPrice),
    maxPriceTicks: ticks(plan.maxPrice),
    minSizeLots: lots(plan.minSize),
    maxSizeLots: lots(plan.maxSize),
    referenceTicks: ticks(plan.referencePrice),
    status: 'full',
  };
}

/** Fees of all tiers, and the price band. */
export function marketTerms(plan: MarketPlan, market: MarketId): CommandBody[] {
  const { referencePrice, tickMantissa: mantissa, tickScale: scale } = plan;
  const fees = TIERS.map(({ maker, taker, tier }): CommandBody => {
    const rates = { makerPpm: maker as Ppm, takerPpm: taker as Ppm };
    return { kind: 'SetMarketFees', market, tier, ...rates };
  });
  const band: CommandBody = {
    kind: 'SetPriceBand',
    market,
    referenceTicks: exactly(ticksFromDecimal(referencePrice, { mantissa, scale })),
    bandPpm: BAND_PPM as Ppm,
    slippagePpm: SLIPPAGE_PPM as Ppm,
  };
  return [...fees, band];
}

export function exactly<Value>(result: DecimalResult<Value>): Value {
  if (!result.ok) throw new Error(`a decimal of the seed plan is ${result.problem}`);
  return result.value;
}
