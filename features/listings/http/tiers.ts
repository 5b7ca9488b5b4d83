// Tiers with their public names: fees are in percent, by pair. Pure.

import { percentText } from '../../../core/market-data/index.ts';
import { decimal, type Tier, timeText } from '../../../protocol/index.ts';
import type { CatalogueNow, FeeRates, TierEntry } from '../catalogue-entries.ts';

export function tiersOf({ tiers }: CatalogueNow): Record<string, Tier> {
  return Object.fromEntries([...tiers].map(([number, tier]) => [number, tierOf(tier)]));
}

export function tierOf(tier: TierEntry): Tier {
  const feesOf = (side: keyof FeeRates) =>
    Object.fromEntries(
      [...tier.fees].map(([symbol, rates]) => [symbol, decimal(percentText(rates[side]))]),
    );
  return {
    id: tier.tier,
    name: tier.name,
    icon: tier.icon,
    description: tier.description,
    note: tier.note,
    deposit_limit: decimal(tier.depositLimit),
    withdrawal_limit: decimal(tier.withdrawalLimit),
    native_currency_limit: tier.nativeCurrencyLimit,
    fees: { maker: feesOf('makerPpm'), taker: feesOf('takerPpm') },
    created_at: timeText(tier.createdAtMs),
    updated_at: timeText(tier.updatedAtMs),
  };
}
