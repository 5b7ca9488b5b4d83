// Profit and loss over full days: the value at the end minus the value at the start, minus
// deposits, plus withdrawals, each valued at the closing price of its day. Pure.

import type { AssetId } from '../../core/money/index.ts';
import { totalValue, type Valued } from './total-value.ts';

/** One day of one asset. */
export interface AssetDay {
  readonly asset: AssetId;
  readonly dayMs: number;
  readonly totalAtoms: bigint;
  /** The part of the day's change that is not trading. */
  readonly externalAtoms: bigint;
}

export interface ProfitLossInput {
  /** Balances at the end of the day before the period. */
  readonly opening: ReadonlyMap<AssetId, bigint>;
  /** Days of the period on which a balance changed, in order. */
  readonly days: readonly AssetDay[];
  readonly beforeMs: number;
  readonly lastMs: number;
  readonly scaleOf: (asset: AssetId) => number;
  /** Closing price of a day; undefined if there is none. */
  readonly priceOf: (asset: AssetId, dayMs: number) => string | undefined;
  /** Scale of the result's currency. */
  readonly scale: number;
}

export interface ProfitLossOfAsset {
  /** By holding: traded amounts count at the closing price of their day. */
  readonly atoms: bigint;
  /** Value held at the start plus all deposits. */
  readonly investedAtoms: bigint;
}

export interface ProfitLoss {
  readonly total: ProfitLossOfAsset;
  readonly assets: ReadonlyMap<AssetId, ProfitLossOfAsset>;
  /** Assets without a price on a day that needs one; they count for nothing. */
  readonly withoutPrice: readonly AssetId[];
}

interface Flows {
  readonly held: Valued[];
  readonly invested: Valued[];
  readonly externalOut: Valued[];
}

export function profitLoss(input: ProfitLossInput): ProfitLoss {
  const { opening, scale } = input;
  const assets = new Map<AssetId, ProfitLossOfAsset>();
  const withoutPrice: AssetId[] = [];
  const all: Flows = { held: [], invested: [], externalOut: [] };
  const known = new Set([...opening.keys(), ...input.days.map(({ asset }) => asset)]);
  for (const asset of known) {
    const flows = flowsOf(asset, input);
    if (flows === undefined) {
      withoutPrice.push(asset);
      continue;
    }
    const { holding, total } = flows;
    all.held.push(...total.held);
    all.invested.push(...total.invested);
    all.externalOut.push(...total.externalOut);
    assets.set(asset, resultOf(holding, scale));
  }
  return { total: resultOf(all, scale), assets, withoutPrice };
}

function resultOf({ externalOut, held, invested }: Flows, scale: number): ProfitLossOfAsset {
  const negated = invested.map((one) => ({ ...one, atoms: -one.atoms }));
  return {
    atoms: totalValue([...held, ...externalOut, ...negated], scale),
    investedAtoms: totalValue(invested, scale),
  };
}

/** Returns undefined if a price is missing. */
function flowsOf(
  asset: AssetId,
  input: ProfitLossInput,
): { readonly total: Flows; readonly holding: Flows } | undefined {
  const { beforeMs, days, lastMs, opening, priceOf, scaleOf } = input;
  const scale = scaleOf(asset);
  const total: Flows = { held: [], invested: [], externalOut: [] };
  const holding: Flows = { held: [], invested: [], externalOut: [] };
  let atoms = opening.get(asset) ?? 0n;
  let isComplete = true;
  const add = (flows: Flows, amount: bigint, price: string) => {
    if (amount > 0n) flows.invested.push({ atoms: amount, scale, price });
    if (amount < 0n) flows.externalOut.push({ atoms: -amount, scale, price });
  };
  const priced = (dayMs: number, amount: bigint): string => {
    const price = priceOf(asset, dayMs);
    if (price === undefined && amount !== 0n) isComplete = false;
    return price ?? '0';
  };
  add(total, atoms, priced(beforeMs, atoms));
  add(holding, atoms, priced(beforeMs, atoms));
  for (const day of days) {
    if (day.asset !== asset) continue;
    const change = day.totalAtoms - atoms;
    add(total, day.externalAtoms, priced(day.dayMs, day.externalAtoms));
    add(holding, change, priced(day.dayMs, change));
    atoms = day.totalAtoms;
  }
  const end = { atoms, scale, price: priced(lastMs, atoms) };
  total.held.push(end);
  holding.held.push(end);
  return isComplete ? { total, holding } : undefined;
}
