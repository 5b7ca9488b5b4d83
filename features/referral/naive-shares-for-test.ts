// Slow, simple computation of shares: one trade after another, in fractions, without SQL and
// without the code under test. Only tests import it.

import type { GeneratedTrades } from './generated-trades-for-test.ts';

export interface NaiveAffiliation {
  readonly referrer: number;
  readonly ratePercent: number;
  readonly startMs: number;
  /** Infinity for no end. */
  readonly endMs: number;
}

export interface NaiveBatch {
  readonly id: number;
  readonly fromFrame: number;
  readonly toFrame: number;
  /** By asset; undefined if the batch was skipped. */
  readonly prices: ReadonlyMap<number, string> | undefined;
}

export interface NaiveInput {
  readonly trades: GeneratedTrades;
  readonly affiliations: ReadonlyMap<number, NaiveAffiliation>;
  readonly batches: readonly NaiveBatch[];
  readonly parents: ReadonlyMap<number, number>;
  readonly groups: ReadonlyMap<number, number>;
  readonly scales: ReadonlyMap<number, number>;
  readonly shareScale: number;
}

export interface NaiveShares {
  /** By `user batch`, in fractions of an atom defined by NAIVE_UNITS. */
  readonly accruals: Map<string, bigint>;
  readonly totals: Map<number, bigint>;
  readonly sides: number;
  readonly counted: number;
}

/** 100 for the percent, 18 decimals for the price, 18 for the scale of the fee. */
export const NAIVE_UNITS = BigInt(`1${'0'.repeat(38)}`);

export function naiveShares(input: NaiveInput): NaiveShares {
  const { affiliations, batches, trades } = input;
  const accruals = new Map<string, bigint>();
  const totals = new Map<number, bigint>();
  let [counted, current] = [0, 0];
  for (let at = 0; at < trades.count; at += 1) {
    while (trades.frame[at] > batches[current].toFrame) current += 1;
    const batch = batches[current];
    if (trades.frame[at] <= batch.fromFrame) throw new Error(`no batch has trade ${at + 1}`);
    const isBuy = trades.isTakerBuying[at] === 1;
    const [bought, sold] = [trades.base[at], trades.quote[at]];
    const [taker, maker] = [trades.taker[at], trades.maker[at]];
    add(batch, taker, maker, isBuy ? bought : sold, trades.takerFee[at], trades.timeMs[at]);
    add(batch, maker, taker, isBuy ? sold : bought, trades.makerFee[at], trades.timeMs[at]);
  }
  return { accruals, totals, sides: trades.count * 2, counted };

  function add(
    batch: NaiveBatch,
    payer: number,
    other: number,
    asset: number,
    fee: number,
    timeMs: number,
  ): void {
    const affiliation = affiliations.get(payer);
    if (affiliation === undefined || fee === 0) return;
    if (timeMs <= affiliation.startMs || timeMs >= affiliation.endMs) return;
    const { ratePercent, referrer } = affiliation;
    if (ratePercent === 0 || isClose(payer, other) || isClose(referrer, other)) return;
    const price = batch.prices?.get(asset);
    if (price === undefined) return;
    counted += 1;
    const share = BigInt(fee) * BigInt(ratePercent) * perAtom(price, asset);
    const key = `${payer} ${batch.id}`;
    accruals.set(key, (accruals.get(key) ?? 0n) + share);
    totals.set(referrer, (totals.get(referrer) ?? 0n) + share);
  }

  function isClose(one: number, other: number): boolean {
    const { groups, parents } = input;
    if ((parents.get(one) ?? one) === (parents.get(other) ?? other)) return true;
    const group = groups.get(one);
    return group !== undefined && group === groups.get(other);
  }

  /** NAIVE_UNITS × price × 10^shareScale ÷ (100 × 10^scale), which is a whole number. */
  function perAtom(price: string, asset: number): bigint {
    const [whole, fraction = ''] = price.split('.');
    const over = BigInt(whole + fraction) * BigInt(`1${'0'.repeat(input.shareScale)}`);
    const under = BigInt(`1${'0'.repeat(fraction.length + input.scales.get(asset)!)}`) * 100n;
    if ((NAIVE_UNITS * over) % under !== 0n) throw new Error(`price ${price} is too fine`);
    return (NAIVE_UNITS * over) / under;
  }
}
