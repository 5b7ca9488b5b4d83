// Fees by tier and market: the current matrix, a proposal of new rates, and the request bodies that
// preview and submit it.

import type { Tier } from '../../../client/index.ts';
import { compare, isDecimal } from '../../decimals/index.ts';

export interface Rates {
  readonly maker: string;
  readonly taker: string;
}

export interface FeeRow {
  readonly pair: string;
  readonly tier: string;
  readonly tierName: string;
  readonly rates: Rates;
}

/** Returns a row for each market and tier, markets by name and tiers by level. */
export function feeRows(tiers: Readonly<Record<string, Tier>>): readonly FeeRow[] {
  const levels = Object.keys(tiers).toSorted((one, other) => Number(one) - Number(other));
  const pairs = new Set(levels.flatMap((level) => Object.keys(tiers[level].fees.maker)));
  return [...pairs].toSorted().flatMap((pair) =>
    levels.map((tier) => ({
      pair,
      tier,
      tierName: tiers[tier].name,
      rates: {
        maker: tiers[tier].fees.maker[pair] ?? '',
        taker: tiers[tier].fees.taker[pair] ?? '',
      },
    })),
  );
}

/** Changed rates by `pair tier`. */
export type Proposal = Readonly<Record<string, Rates>>;

export function keyOf({ pair, tier }: Pick<FeeRow, 'pair' | 'tier'>): string {
  return `${pair} ${tier}`;
}

export function ratesOf(row: FeeRow, proposal: Proposal): Rates {
  return proposal[keyOf(row)] ?? row.rates;
}

/** Returns the proposal with these rates, and without the row if they are the current ones. */
export function withRates(proposal: Proposal, row: FeeRow, rates: Rates): Proposal {
  const { [keyOf(row)]: _, ...others } = proposal;
  const isToday = isEqual(rates.maker, row.rates.maker) && isEqual(rates.taker, row.rates.taker);
  return isToday ? others : { ...others, [keyOf(row)]: rates };
}

function isEqual(one: string, other: string): boolean {
  return isDecimal(one) && isDecimal(other) ? compare(one, other) === 0 : one === other;
}

const RATE_MAX = '10';

export function isRate(text: string): boolean {
  return isDecimal(text) && compare(text, '0') >= 0 && compare(text, RATE_MAX) <= 0;
}

export function isComplete(proposal: Proposal): boolean {
  const all = Object.values(proposal);
  return all.length > 0 && all.every(({ maker, taker }) => isRate(maker) && isRate(taker));
}

/** Rates by market and tier, as both calls expect them. */
export function feesBody(proposal: Proposal): Record<string, Record<string, Rates>> {
  const fees: Record<string, Record<string, Rates>> = {};
  for (const [key, rates] of Object.entries(proposal)) {
    const [pair, tier] = key.split(' ');
    fees[pair] = { ...fees[pair], [tier]: rates };
  }
  return fees;
}
