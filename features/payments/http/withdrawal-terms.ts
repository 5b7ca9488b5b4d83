// The fee and the bounds of a withdrawal of a coin, by its network. Refuses coins that cannot be
// withdrawn. Pure: everything is in the catalogue.

import {
  type Atoms,
  atomsFromDecimal,
  compareDecimals,
  isMultipleOfDecimal,
  parseDecimal,
} from '../../../core/money/index.ts';
import { ApiRefusal } from '../../../platform/http/index.ts';
import type { AssetEntry, CatalogueNow, CoinEntry } from '../../listings/index.ts';
import { destinationText } from '../addresses/destination.ts';
import { EMAIL_NETWORK, parseDestination } from '../addresses/parse-destination.ts';
import { FIAT_NETWORK } from '../policy/withdrawal-policy.ts';

export interface WithdrawalQuote {
  readonly coin: CoinEntry;
  /** Null if the coin has no networks. */
  readonly network: string | null;
  readonly feeAsset: AssetEntry;
  readonly feeAtoms: Atoms;
  readonly min: string;
  /** '0' if there is none. */
  readonly max: string;
}

export function requireCoin(now: CatalogueNow, currency: string): CoinEntry {
  const coin = now.coins.get(currency.toLowerCase());
  if (coin === undefined) throw new ApiRefusal('currency_invalid', { currency });
  return coin;
}

export function requireWithdrawals({ active, allowWithdrawal, symbol }: CoinEntry): void {
  if (!allowWithdrawal || !active)
    throw new ApiRefusal('withdrawals_are_off', { currency: symbol });
}

/** Fiat leaves only over the fiat route, to a verified bank account. */
export function requireNoFiat({ symbol, type }: CoinEntry): void {
  if (type === 'fiat') throw new ApiRefusal('fiat_needs_bank_account', { currency: symbol });
}

/** To another user: free. */
export function transferTerms(coin: CoinEntry): WithdrawalQuote {
  const { asset: feeAsset, max, min } = coin;
  return { coin, network: EMAIL_NETWORK, feeAsset, feeAtoms: 0n as Atoms, min, max };
}

/**
 * Without a network: the fee of the only network, or the coin's own. The only network of a fiat
 * coin is `fiat`; its fee may be under the coin's own name.
 */
export function withdrawalTerms(
  now: CatalogueNow,
  { coin, network }: { readonly coin: CoinEntry; readonly network: string | undefined },
): WithdrawalQuote {
  const { symbol: currency } = coin;
  const isFiat = coin.type === 'fiat';
  const networks = isFiat ? [FIAT_NETWORK] : coin.networks;
  const chosen = network ?? (networks.length === 1 ? networks[0] : null);
  if (network !== undefined && !networks.includes(network)) {
    throw new ApiRefusal('network_invalid', { network, currency });
  }
  const ofNetwork = chosen === null ? undefined : coin.withdrawalFees?.get(chosen);
  const own = ofNetwork ?? (isFiat ? coin.withdrawalFees?.get(currency) : undefined);
  if (own?.active === false) throw new ApiRefusal('withdrawals_are_off', { currency });
  const feeAsset = own === undefined ? coin.asset : now.assetsBySymbol.get(own.symbol);
  if (feeAsset === undefined)
    throw new Error(`withdrawal fee of ${currency} names a coin that is not listed`);
  const fee = atomsFromDecimal(own?.value ?? coin.withdrawalFee, feeAsset.scale);
  if (!fee.ok)
    throw new Error(`withdrawal fee of ${currency} is not a valid amount of ${feeAsset.symbol}`);
  return {
    coin,
    network: chosen,
    feeAsset,
    feeAtoms: fee.value,
    min: own?.min ?? coin.min,
    max: own?.max ?? coin.max,
  };
}

/** With several networks, the request must name one. */
export function requireNetwork({ coin, network }: WithdrawalQuote): void {
  const { networks, symbol: currency } = coin;
  if (network !== null || networks.length === 0) return;
  throw new ApiRefusal('network_missing', { currency, networks: networks.join(', ') });
}

/** The amount in atoms, within the bounds and a multiple of the coin's unit. */
export function requireAmount(
  given: number | string,
  terms: Pick<WithdrawalQuote, 'coin' | 'max' | 'min'>,
): Atoms {
  const { coin, max, min } = terms;
  const { scale } = coin.asset;
  const amount = atomsFromDecimal(`${given}`, scale);
  if (!amount.ok) {
    if (amount.problem === 'negative') throw new ApiRefusal('amount_must_be_positive');
    throw new ApiRefusal('amount_invalid', { problem: amount.problem.replaceAll('_', ' ') });
  }
  if (amount.value === 0n) throw new ApiRefusal('amount_must_be_positive');
  // A bound that is no whole number of atoms still applies.
  const decimal = { mantissa: amount.value, scale };
  const [least, most, step] = [min, max, coin.incrementUnit].map(parseDecimal);
  if (compareDecimals(decimal, least) < 0) throw new ApiRefusal('amount_below_minimum', { min });
  if (most.mantissa > 0n && compareDecimals(decimal, most) > 0) {
    throw new ApiRefusal('amount_above_maximum', { max });
  }
  if (step.mantissa > 0n && !isMultipleOfDecimal(decimal, step)) {
    throw new ApiRefusal('amount_not_a_multiple', { step: coin.incrementUnit });
  }
  return amount.value;
}

/** The address, for some networks with `:tag`, in its one spelling. */
export function requireAddress(text: string, { coin, network }: WithdrawalQuote): string {
  const destination = parseDestination(network ?? coin.symbol, text);
  if (destination !== undefined) return destinationText(destination);
  throw new ApiRefusal('address_invalid', { currency: coin.symbol });
}

/** In the form that requests use. */
export function requestedAsset({ asset: id, scale, symbol: currency }: AssetEntry) {
  return { id, currency, scale };
}
