// Terms of a new market, from decimals to the engine's whole numbers. The rules are the engine's,
// so an operator sees the reason before the market is approved: notionals are whole atoms, the
// minimum fill is worth two atoms, the maximum order fits the ledger.

import type { Refusal } from '../../../core/messages/index.ts';
import {
  ATOMS_MAX,
  type Atoms,
  atomsFromDecimal,
  type DecimalProblem,
  type DecimalResult,
  type LotSize,
  type Lots,
  lotsFromDecimal,
  type TickSize,
  type Ticks,
  ticksFromDecimal,
} from '../../../core/money/index.ts';

/** Decimals, as an operator writes them. */
export interface MarketDecimals {
  readonly increment_size: string;
  readonly increment_price: string;
  /** Defaults to one increment. */
  readonly min_size?: string | undefined;
  readonly max_size: string;
  /** Defaults to the lowest price at which the minimum fill is worth two atoms. */
  readonly min_price?: string | undefined;
  readonly max_price: string;
  /** Market price until the first trade. */
  readonly reference_price?: string | null | undefined;
}

export interface MarketTerms {
  readonly lotAtoms: Atoms;
  readonly tickMantissa: number;
  readonly tickScale: number;
  readonly minPriceTicks: Ticks;
  readonly maxPriceTicks: Ticks;
  readonly minSizeLots: Lots;
  readonly maxSizeLots: Lots;
  /** 0 for none. */
  readonly referenceTicks: Ticks;
}

export interface MarketScales {
  readonly base: number;
  readonly quote: number;
}

export type MarketTermsResult =
  | { readonly ok: true; readonly terms: MarketTerms }
  | { readonly ok: false; readonly field: keyof MarketDecimals; readonly problem: DecimalProblem }
  | { readonly ok: false; readonly refusal: Refusal };

const TICK_SCALE_MAX = 30;
const SMALLEST_FILL_ATOMS = 2n;

export function marketTerms(decimals: MarketDecimals, scales: MarketScales): MarketTermsResult {
  const lot = atomsFromDecimal(decimals.increment_size, scales.base);
  if (!lot.ok) return { ok: false, field: 'increment_size', problem: lot.problem };
  const tick = tickOf(decimals.increment_price);
  if (!tick.ok) return { ok: false, field: 'increment_price', problem: tick.problem };
  if (lot.value < 1n || tick.value.mantissa < 1) return refused('lot_and_tick_must_be_positive');
  const whole = wholeNumbers(decimals, tick.value, { atoms: lot.value, scale: scales.base });
  if ('field' in whole) return { ok: false, ...whole };
  const terms: MarketTerms = {
    lotAtoms: lot.value,
    tickMantissa: tick.value.mantissa,
    tickScale: tick.value.scale,
    minPriceTicks: (decimals.min_price === undefined
      ? lowestTicks(lot.value, tick.value, scales)
      : whole.min_price) as Ticks,
    maxPriceTicks: whole.max_price as Ticks,
    minSizeLots: (decimals.min_size === undefined ? 1 : whole.min_size) as Lots,
    maxSizeLots: whole.max_size as Lots,
    referenceTicks: whole.reference_price as Ticks,
  };
  const refusal = refuseTerms(terms, scales);
  return refusal === 'none' ? { ok: true, terms } : refused(refusal);
}

function refused(refusal: Refusal): MarketTermsResult {
  return { ok: false, refusal };
}

/** Uses the smallest scale at which the increment is a whole number. */
function tickOf(text: string): DecimalResult<TickSize> {
  for (let scale = 0; scale <= TICK_SCALE_MAX; scale++) {
    const mantissa = atomsFromDecimal(text, scale);
    if (mantissa.ok && mantissa.value <= BigInt(Number.MAX_SAFE_INTEGER)) {
      return { ok: true, value: { mantissa: Number(mantissa.value), scale } };
    }
    if (!mantissa.ok && mantissa.problem !== 'too_many_digits') return mantissa;
  }
  return { ok: false, problem: 'too_many_digits' };
}

function lowestTicks(lotAtoms: Atoms, tick: TickSize, { base, quote }: MarketScales): number {
  const dividend = lotAtoms * BigInt(tick.mantissa) * 10n ** BigInt(quote);
  const divisor = 10n ** BigInt(base + tick.scale);
  return dividend / divisor >= SMALLEST_FILL_ATOMS ? 1 : Number(SMALLEST_FILL_ATOMS);
}

const PRICES = ['min_price', 'max_price', 'reference_price'] as const;
const SIZES = ['min_size', 'max_size'] as const;
type Whole = Record<(typeof PRICES)[number] | (typeof SIZES)[number], number>;

function wholeNumbers(
  decimals: MarketDecimals,
  tick: TickSize,
  lot: LotSize,
): Whole | { readonly field: keyof MarketDecimals; readonly problem: DecimalProblem } {
  const whole: Partial<Whole> = {};
  for (const field of PRICES) {
    const ticks = ticksFromDecimal(decimals[field] ?? '0', tick);
    if (!ticks.ok) return { field, problem: ticks.problem };
    whole[field] = ticks.value;
  }
  for (const field of SIZES) {
    const lots = lotsFromDecimal(decimals[field] ?? '0', lot);
    if (!lots.ok) return { field, problem: lots.problem };
    whole[field] = lots.value;
  }
  return whole as Whole;
}

/** Returns the same rejection as the engine, or none. */
export function refuseTerms(terms: MarketTerms, { base, quote }: MarketScales): Refusal {
  const { lotAtoms, maxPriceTicks, maxSizeLots, minPriceTicks, minSizeLots, referenceTicks } =
    terms;
  const dividend = lotAtoms * BigInt(terms.tickMantissa) * 10n ** BigInt(quote);
  const divisor = 10n ** BigInt(base + terms.tickScale);
  if (dividend % divisor !== 0n) return 'lot_times_tick_must_be_whole_quote_atoms';
  const tickLotAtoms = dividend / divisor;
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
  if (referenceTicks === 0) return 'none';
  const isInside = referenceTicks >= minPriceTicks && referenceTicks <= maxPriceTicks;
  return isInside ? 'none' : 'reference_price_out_of_range';
}
