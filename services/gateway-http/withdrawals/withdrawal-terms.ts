// What a withdrawal of a coin costs and between which bounds it must be, by its network. Refuses
// what can not be withdrawn at all. Pure: the catalogue says everything.

import { type Atoms, atomsFromDecimal } from '../../../core/money/index.ts';
import type { AssetEntry, CatalogueNow, CoinEntry } from '../../../domain/catalogue/index.ts';
import { ApiRefusal } from '../api-refusal.ts';

export interface WithdrawalTerms {
  readonly coin: CoinEntry;
  /** Null when the coin names none. */
  readonly network: string | null;
  readonly feeAsset: AssetEntry;
  readonly feeAtoms: Atoms;
  readonly min: string;
  /** '0' when there is none. */
  readonly max: string;
}

export function requireCoin(now: CatalogueNow, currency: string): CoinEntry {
  const coin = now.coins.get(currency.toLowerCase());
  if (coin === undefined) throw new ApiRefusal('currency_invalid', { currency });
  return coin;
}

/** Without a network the fee of the only one, or that of the coin. */
export function withdrawalTerms(
  now: CatalogueNow,
  { coin, network }: { readonly coin: CoinEntry; readonly network: string | undefined },
): WithdrawalTerms {
  const { symbol: currency } = coin;
  const names = coin.network?.split(',').map((name) => name.trim()) ?? [];
  const chosen = network ?? (names.length === 1 ? names[0] : null);
  if (network !== undefined && !names.includes(network)) {
    throw new ApiRefusal('network_invalid', { network, currency });
  }
  const own = chosen === null ? undefined : coin.withdrawalFees?.get(chosen);
  if (own?.active === false) throw new ApiRefusal('withdrawals_are_off', { currency });
  const feeAsset = own === undefined ? coin.asset : now.assetsBySymbol.get(own.symbol);
  if (feeAsset === undefined) throw new Error(`the fee of ${currency} is in no listed coin`);
  const fee = atomsFromDecimal(own?.value ?? coin.withdrawalFee, feeAsset.scale);
  if (!fee.ok) throw new Error(`the fee of ${currency} is not an amount of ${feeAsset.symbol}`);
  return {
    coin,
    network: chosen,
    feeAsset,
    feeAtoms: fee.value,
    min: own?.min ?? coin.min,
    max: own?.max ?? coin.max,
  };
}

/** Where there are several networks, it has to be said over which. */
export function requireNetwork({ coin, network }: WithdrawalTerms): void {
  if (network !== null || coin.network === null) return;
  const { network: networks, symbol: currency } = coin;
  throw new ApiRefusal('network_missing', { currency, networks });
}

/** The amount in atoms, between the bounds and a multiple of the coin's unit. */
export function requireAmount(given: number | string, terms: WithdrawalTerms): Atoms {
  const { coin, max, min } = terms;
  const { scale } = coin.asset;
  const amount = atomsFromDecimal(`${given}`, scale);
  if (!amount.ok) {
    if (amount.problem === 'negative') throw new ApiRefusal('amount_must_be_positive');
    throw new ApiRefusal('amount_invalid', { problem: amount.problem.replaceAll('_', ' ') });
  }
  if (amount.value === 0n) throw new ApiRefusal('amount_must_be_positive');
  // As fine as the finer of the two: a bound that is no whole number of atoms still binds.
  const beside = (text: string): [amount: bigint, bound: bigint] => {
    const [whole, fraction = ''] = text.split('.');
    const digits = Math.max(scale, fraction.length);
    const bound = BigInt(whole + fraction.padEnd(digits, '0'));
    return [amount.value * 10n ** BigInt(digits - scale), bound];
  };
  const [aboveMin, least] = beside(min);
  if (aboveMin < least) throw new ApiRefusal('amount_below_minimum', { min });
  const [belowMax, most] = beside(max);
  if (most > 0n && belowMax > most) throw new ApiRefusal('amount_above_maximum', { max });
  const [multiple, step] = beside(coin.incrementUnit);
  if (step > 0n && multiple % step !== 0n) {
    throw new ApiRefusal('amount_not_a_multiple', { step: coin.incrementUnit });
  }
  return amount.value;
}

// What an address looks like is known by the chain's connector; here only what none ever has.
const ADDRESS = /^[\x21-\x7e]{1,256}$/;

export function requireAddress(address: string, { coin }: WithdrawalTerms): string {
  if (ADDRESS.test(address)) return address;
  throw new ApiRefusal('address_invalid', { currency: coin.symbol });
}

/** As requests name it. */
export function requestedAsset({ asset: id, scale, symbol: currency }: AssetEntry) {
  return { id, currency, scale };
}
