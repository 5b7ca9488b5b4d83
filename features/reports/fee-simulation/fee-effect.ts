// Fees that other rates would have earned: each past total at the proposed rate. A fee is rounded
// up once per fill, the proposal once per total, so it is too low by less than one atom per fill.
// Totals whose rate does not change are exact.

import {
  type AssetId,
  discountedPpm,
  type MarketId,
  ONE_MILLION_PPM,
  type Ppm,
} from '../../../core/money/index.ts';

export type Liquidity = 'maker' | 'taker';

/** Fills of the window with the same pair, side, tier and rate. */
export interface FeeSum {
  readonly market: MarketId;
  readonly liquidity: Liquidity;
  readonly tier: number;
  readonly discountPpm: Ppm;
  /** Rate paid, with the discount. */
  readonly feePpm: Ppm;
  readonly fills: number;
  /** Asset that the side received and paid the fee in. */
  readonly asset: AssetId;
  readonly receivedAtoms: bigint;
  readonly quoteAtoms: bigint;
  readonly feeAtoms: bigint;
}

export interface ProposedFees {
  readonly market: MarketId;
  readonly tier: number;
  readonly makerPpm: Ppm;
  readonly takerPpm: Ppm;
}

export interface FeeEffect {
  readonly market: MarketId;
  readonly tier: number;
  readonly fills: number;
  /** Total of every side in this tier: a trade between two of its users counts twice. */
  readonly quoteAtoms: bigint;
  readonly collected: ReadonlyMap<AssetId, bigint>;
  readonly proposed: ReadonlyMap<AssetId, bigint>;
}

/** Returns one effect for each proposed pair and tier, even without fills. */
export function feeEffects(
  sums: readonly FeeSum[],
  proposal: readonly ProposedFees[],
): FeeEffect[] {
  return proposal.map((rates) => {
    const { market, tier } = rates;
    const own = sums.filter((sum) => sum.market === market && sum.tier === tier);
    const collected = new Map<AssetId, bigint>();
    const proposed = new Map<AssetId, bigint>();
    for (const sum of own) {
      add(collected, sum.asset, sum.feeAtoms);
      add(proposed, sum.asset, proposedAtoms(sum, rates));
    }
    const fills = own.reduce((count, sum) => count + sum.fills, 0);
    const quoteAtoms = own.reduce((atoms, sum) => atoms + sum.quoteAtoms, 0n);
    return { market, tier, fills, quoteAtoms, collected, proposed };
  });
}

/** A user's own discount also applies to the proposed rate. */
function proposedAtoms(sum: FeeSum, { makerPpm, takerPpm }: ProposedFees): bigint {
  const rate = sum.liquidity === 'maker' ? makerPpm : takerPpm;
  const ppm = discountedPpm(rate, sum.discountPpm);
  if (ppm === sum.feePpm) return sum.feeAtoms;
  const million = BigInt(ONE_MILLION_PPM);
  return (sum.receivedAtoms * BigInt(ppm) + million - 1n) / million;
}

function add(amounts: Map<AssetId, bigint>, asset: AssetId, atoms: bigint): void {
  amounts.set(asset, (amounts.get(asset) ?? 0n) + atoms);
}
