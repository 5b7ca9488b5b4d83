// Effect of a fee change on the last 30 closed days. Reads stored totals, never trades.

import { type AssetId, discountedPpm, ONE_MILLION_PPM } from '../../../core/money/index.ts';
import { type Call, type Dependencies, requireMarket } from '../../../platform/http/index.ts';
import type { FeeEffects, Routes } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { feesOf, ppmOf, readFees, readMarkets } from '../../listings/admin/index.ts';
import { pairFees } from '../../listings/http/index.ts';
import type { CatalogueNow, MarketEntry } from '../../listings/index.ts';
import { closingPrices } from '../../market-data/index.ts';
import { readPolicyCurrency } from '../../payments/index.ts';
import { totalValue } from '../../portfolio/index.ts';
import { type FeeEffect, feeEffects } from '../fee-simulation/fee-effect.ts';
import { readFeeWindow } from '../fee-simulation/fee-window.ts';
import { amountOf, currencyOf } from './ledger-json.ts';

type Body = Call<Routes['estimateFees']>['body'];
type Amounts = ReadonlyMap<AssetId, bigint>;

/** For values in a currency that the exchange does not list. */
const VALUE_SCALE = 8;

export async function estimateFees(
  { body }: Call<Routes['estimateFees']>,
  dependencies: Dependencies,
) {
  const { catalogue, clock, exchange, registry } = dependencies;
  const { projectionSchema } = exchange;
  const proposal = await proposalOf(dependencies, body);
  if (proposal instanceof Refused) return proposal;
  const { from, sums, to, users } = await readFeeWindow(registry, projectionSchema);
  const effects = feeEffects(sums, proposal);
  const currency = await readPolicyCurrency(registry);
  const at = new Date(clock.nowMs());
  const prices = await closingPrices(registry, { quote: currency, projectionSchema, at });
  const value = valuer(catalogue.now, { ...prices, [currency]: '1' }, currency);
  const json: FeeEffects['effects'][number][] = [];
  for (const [at, effect] of effects.entries()) {
    const market = requireMarket(dependencies, proposal[at].symbol);
    if (market instanceof Refused) return market;
    const own = users.find((one) => one.market === effect.market && one.tier === effect.tier);
    json.push({
      ...effectJson(catalogue.now, market, effect),
      users: own?.users ?? 0,
      users_with_own_fees: own?.ownUsers ?? 0,
      value: value([effect]),
    });
  }
  return { from: from ?? null, to: to ?? null, currency, effects: json, total: value(effects) };
}

async function proposalOf(
  { exchange, registry: connection }: Dependencies,
  { discount, fees, pair }: Body,
) {
  const reader = { connection, exchange };
  if (fees !== undefined && discount === undefined) {
    const read = pairFees({ fees, ...(pair !== undefined && { pair }) });
    return read instanceof Refused ? read : feesOf(reader, { fees: read });
  }
  if (discount === undefined || fees !== undefined || pair !== undefined) {
    const detail = 'Parameter (fees) or (discount) is required, and only one of them';
    return new Refused('request_invalid', { detail });
  }
  const ppm = ppmOf('discount', `${discount}`, ONE_MILLION_PPM);
  if (ppm instanceof Refused) return ppm;
  const symbols = new Map((await readMarkets(reader)).map((one) => [one.market, one.symbol]));
  return (await readFees(reader)).map((one) => ({
    ...one,
    symbol: symbols.get(one.market)!,
    makerPpm: discountedPpm(one.makerPpm, ppm),
    takerPpm: discountedPpm(one.takerPpm, ppm),
  }));
}

function effectJson(now: CatalogueNow, { quote, symbol }: MarketEntry, effect: FeeEffect) {
  const { collected, fills, proposed, quoteAtoms, tier } = effect;
  const amounts = (atomsOf: (asset: AssetId) => bigint) =>
    Object.fromEntries(
      [...collected.keys()].map((asset) => {
        const currency = currencyOf(now, asset);
        return [currency.symbol, amountOf(currency, atomsOf(asset))];
      }),
    );
  return {
    symbol,
    tier,
    volume: amountOf(quote, quoteAtoms),
    fills,
    collected: amounts((asset) => collected.get(asset)!),
    proposed: amounts((asset) => proposed.get(asset)!),
    difference: amounts((asset) => proposed.get(asset)! - collected.get(asset)!),
  };
}

/** Null if an amount has no price. */
function valuer(now: CatalogueNow, prices: Readonly<Record<string, string>>, currency: string) {
  const scale = now.assetsBySymbol.get(currency)?.scale ?? VALUE_SCALE;
  const sumOfValues = (amounts: readonly Amounts[]): bigint | undefined => {
    const valued = amounts.flatMap((one) =>
      [...one].map(([asset, atoms]) => {
        const { scale, symbol } = currencyOf(now, asset);
        return { atoms, scale, price: prices[symbol] };
      }),
    );
    if (valued.some(({ atoms, price }) => atoms !== 0n && price === undefined)) return undefined;
    return totalValue(
      valued.map((one) => ({ ...one, price: one.price ?? '0' })),
      scale,
    );
  };
  return (effects: readonly FeeEffect[]) => {
    const collected = sumOfValues(effects.map((effect) => effect.collected));
    const proposed = sumOfValues(effects.map((effect) => effect.proposed));
    if (collected === undefined || proposed === undefined) return null;
    const amount = (atoms: bigint) => amountOf({ scale }, atoms);
    return {
      collected: amount(collected),
      proposed: amount(proposed),
      difference: amount(proposed - collected),
    };
  };
}
