// Coins and pairs as operators see them, read from the tables, because the catalog in memory can
// lag by a second.

import { percentText, priceText } from '../../../core/market-data/index.ts';
import { decimalFromAtoms } from '../../../core/money/index.ts';
import { type Dependencies, requireOutcomes } from '../../../platform/http/index.ts';
import {
  decimal,
  type ErrorKey,
  type ListedCoin,
  type ListedPair,
  type Tier,
} from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { readCatalogue } from '../catalogue.ts';
import type { CatalogueNow, CoinEntry, PairEntry } from '../catalogue-entries.ts';
import { readFreezes } from '../frozen-markets.ts';
import { coinOf, pairOf } from './constants.ts';
import { tierOf } from './tiers.ts';

/** Returns the catalog after the commands, unless the engine rejects one or does not respond. */
export async function catalogueAfter(
  dependencies: Dependencies,
  commands: readonly number[],
): Promise<CatalogueNow | Refused<ErrorKey>> {
  const undone = await requireOutcomes(dependencies, commands);
  return undone ?? readCatalogue(dependencies);
}

export async function coinAfter(
  dependencies: Dependencies,
  { commands, symbol }: { readonly commands: readonly number[]; readonly symbol: string },
): Promise<ListedCoin | Refused<ErrorKey>> {
  const now = await catalogueAfter(dependencies, commands);
  if (now instanceof Refused) return now;
  const coin = now.coins.get(symbol);
  return coin === undefined ? new Refused('outcome_unknown') : listedCoin(coin);
}

export async function pairAfter(
  dependencies: Dependencies,
  { commands, symbol }: { readonly commands: readonly number[]; readonly symbol: string },
): Promise<ListedPair | Refused<ErrorKey>> {
  const now = await catalogueAfter(dependencies, commands);
  if (now instanceof Refused) return now;
  const pair = now.pairs.get(symbol);
  if (pair === undefined) return new Refused('outcome_unknown');
  return listedPair(pair, await frozenMarkets(dependencies));
}

export async function tierAfter(
  dependencies: Dependencies,
  { commands, level }: { readonly commands: readonly number[]; readonly level: number },
): Promise<Tier | Refused<ErrorKey>> {
  const now = await catalogueAfter(dependencies, commands);
  if (now instanceof Refused) return now;
  const tier = now.tiers.get(level);
  return tier === undefined ? new Refused('outcome_unknown') : tierOf(tier);
}

export function listedCoin(coin: CoinEntry): ListedCoin {
  const { issuanceCapAtoms, scale } = coin.asset;
  return {
    ...coinOf(coin),
    decimals: scale,
    issuance_cap: decimal(decimalFromAtoms(issuanceCapAtoms, scale)),
  };
}

export function listedPair(pair: PairEntry, frozen: ReadonlyMap<string, number>): ListedPair {
  const { market } = pair;
  const { referenceTicks } = market;
  return {
    ...pairOf(pair),
    band: decimal(percentText(market.bandPpm)),
    slippage: decimal(percentText(market.slippagePpm)),
    reference_price: referenceTicks > 0 ? decimal(priceText(market, referenceTicks)) : null,
    frozen_by: frozen.get(pair.symbol) ?? null,
  };
}

/** By symbol: the command that froze the market. */
export async function frozenMarkets({
  exchange,
  registry,
}: Dependencies): Promise<ReadonlyMap<string, number>> {
  const freezes = await readFreezes({ connection: registry, exchange });
  return new Map(
    freezes.flatMap(({ command, market }) =>
      market === null ? [] : [[market.symbol, command] as const],
    ),
  );
}
