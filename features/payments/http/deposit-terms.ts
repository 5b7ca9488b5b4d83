// Coin and network of a deposit address, as named in a request.

import type { Dependencies } from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { CoinEntry } from '../../listings/index.ts';

export function requireDepositCoin(
  { catalogue }: Dependencies,
  crypto: string,
): CoinEntry | Refused<'crypto_invalid'> {
  const coin = catalogue.now.coins.get(crypto.toLowerCase());
  if (coin !== undefined && coin.type !== 'fiat') return coin;
  return new Refused('crypto_invalid', { crypto });
}

/** If the coin has several networks, the request must name one. */
export function requireDepositTerms(coin: CoinEntry, network: string | undefined) {
  const { networks, symbol: currency } = coin;
  if (!coin.allowDeposit || !coin.active) return new Refused('deposits_are_off', { currency });
  const names = networks.length === 0 ? [currency] : networks;
  if (network === undefined) {
    if (names.length === 1) return { currency, network: names[0] };
    return new Refused('network_missing', { currency, networks: names.join(',') });
  }
  const found = listedNetwork(names, network);
  if (found !== undefined) return { currency, network: found };
  return new Refused('network_invalid', { network, currency });
}

/**
 * Returns the network as the coin spells it, ignoring case and surrounding spaces, or undefined if
 * the coin does not have it.
 */
export function listedNetwork(networks: readonly string[], given: string): string | undefined {
  const wanted = given.trim().toLowerCase();
  return networks.find((name) => name.toLowerCase() === wanted);
}
