// Fee and limits of a withdrawal, by coin and network. Rejects coins that cannot be withdrawn.
// Pure: everything comes from the catalog.

import { type Atoms, atomsFromDecimal } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { AssetEntry, CatalogueNow, CoinEntry } from '../../listings/index.ts';
import { destinationText } from '../addresses/destination.ts';
import { EMAIL_NETWORK, parseDestination } from '../addresses/parse-destination.ts';
import { FIAT_NETWORK } from '../policy/withdrawal-policy.ts';
import { listedNetwork } from './deposit-terms.ts';

export interface WithdrawalQuote {
  readonly coin: CoinEntry;
  /** Null if the coin has no networks. */
  readonly network: string | null;
  readonly feeAsset: AssetEntry;
  readonly feeAtoms: Atoms;
  readonly min: string;
  /** '0' if there is no maximum. */
  readonly max: string;
}

export function requireCoin(
  now: CatalogueNow,
  currency: string,
): CoinEntry | Refused<'currency_invalid'> {
  const coin = now.coins.get(currency.toLowerCase());
  return coin ?? new Refused('currency_invalid', { currency });
}

export function areWithdrawalsOn({ active, allowWithdrawal }: CoinEntry): boolean {
  return allowWithdrawal && active;
}

/** A request to send an amount to an address. */
export interface WithdrawalInput {
  readonly currency: string;
  readonly network?: string | undefined;
  readonly amount: number | string;
  readonly address: string;
}

/** Returns the quote, amount and address of a withdrawal to a chain. */
export function requireWithdrawal(now: CatalogueNow, asked: WithdrawalInput) {
  const coin = requireCoin(now, asked.currency);
  if (coin instanceof Refused) return coin;
  const { networks, symbol: currency } = coin;
  if (!areWithdrawalsOn(coin)) return new Refused('withdrawals_are_off', { currency });
  // Fiat can be withdrawn only through the fiat route, to a verified bank account.
  if (coin.type === 'fiat') return new Refused('fiat_needs_bank_account', { currency });
  const quote = quoteWithdrawal(now, { coin, network: asked.network });
  if (quote instanceof Refused) return quote;
  if (quote.network === null && networks.length > 0) {
    return new Refused('network_missing', { currency, networks: networks.join(', ') });
  }
  return withDestination(quote, asked);
}

/** Same as `requireWithdrawal` for a transfer to another user, which is free. */
export function requireTransfer(now: CatalogueNow, asked: WithdrawalInput) {
  const coin = requireCoin(now, asked.currency);
  if (coin instanceof Refused) return coin;
  const { asset: feeAsset, max, min, symbol: currency } = coin;
  if (!areWithdrawalsOn(coin)) return new Refused('withdrawals_are_off', { currency });
  const free = { coin, network: EMAIL_NETWORK, feeAsset, feeAtoms: 0n as Atoms, min, max };
  return withDestination(free, asked);
}

/** Returns whether the network can pay the address. Fiat goes to bank accounts, without one. */
export function canPay({ coin, network }: WithdrawalQuote, address: string): boolean {
  return parseDestination(network ?? coin.symbol, address) !== undefined;
}

function withDestination(quote: WithdrawalQuote, { address, amount }: WithdrawalInput) {
  const amountAtoms = requireAmount(amount, quote);
  if (amountAtoms instanceof Refused) return amountAtoms;
  const { symbol: currency } = quote.coin;
  const destination = parseDestination(quote.network ?? currency, address);
  if (destination === undefined) return new Refused('address_invalid', { currency });
  // Canonical spelling, with `:tag` in some networks.
  return { ...quote, amountAtoms, address: destinationText(destination) };
}

/**
 * Without a network, uses the fee of the only network, or the coin's own. The only network of a
 * fiat coin is `fiat`; its fee can be under the coin's own name.
 */
export function quoteWithdrawal(
  now: CatalogueNow,
  { coin, network }: { readonly coin: CoinEntry; readonly network: string | undefined },
): WithdrawalQuote | Refused<'network_invalid' | 'withdrawals_are_off'> {
  const { symbol: currency } = coin;
  const isFiat = coin.type === 'fiat';
  const networks = isFiat ? [FIAT_NETWORK] : coin.networks;
  const named = network === undefined ? undefined : listedNetwork(networks, network);
  if (network !== undefined && named === undefined) {
    return new Refused('network_invalid', { network, currency });
  }
  const chosen = named ?? (networks.length === 1 ? networks[0] : null);
  const ofNetwork = chosen === null ? undefined : coin.withdrawalFees?.get(chosen);
  const own = ofNetwork ?? (isFiat ? coin.withdrawalFees?.get(currency) : undefined);
  if (own?.active === false) return new Refused('withdrawals_are_off', { currency });
  const feeAsset = own === undefined ? coin.asset : now.assetsBySymbol.get(own.symbol);
  if (feeAsset === undefined)
    throw new Error(`withdrawal fee of ${currency} names an unlisted coin`);
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

/** Returns the amount in atoms. It must be within the limits and a multiple of the coin's unit. */
export function requireAmount(
  given: number | string,
  { coin, max, min }: Pick<WithdrawalQuote, 'coin' | 'max' | 'min'>,
) {
  const { scale } = coin.asset;
  const amount = atomsFromDecimal(`${given}`, scale);
  if (!amount.ok) {
    if (amount.problem === 'negative') return new Refused('amount_must_be_positive');
    return new Refused('amount_invalid', { problem: amount.problem.replaceAll('_', ' ') });
  }
  if (amount.value === 0n) return new Refused('amount_must_be_positive');
  // Compares at the finer of the two scales, so a limit finer than one atom still applies.
  const beside = (text: string): [amount: bigint, bound: bigint] => {
    const [whole, fraction = ''] = text.split('.');
    const digits = Math.max(scale, fraction.length);
    const bound = BigInt(whole + fraction.padEnd(digits, '0'));
    return [amount.value * 10n ** BigInt(digits - scale), bound];
  };
  const [aboveMin, least] = beside(min);
  if (aboveMin < least) return new Refused('amount_below_minimum', { min });
  const [belowMax, most] = beside(max);
  if (most > 0n && belowMax > most) return new Refused('amount_above_maximum', { max });
  const [multiple, step] = beside(coin.incrementUnit);
  if (step > 0n && multiple % step !== 0n) {
    return new Refused('amount_not_a_multiple', { step: coin.incrementUnit });
  }
  return amount.value;
}

/** Returns the form that requests use. */
export function requestedAsset({ asset: id, scale, symbol: currency }: AssetEntry) {
  return { id, currency, scale };
}
