// The coin and the network of a deposit address, as a call names them.

import { ApiRefusal, type Dependencies } from '../../../platform/http/index.ts';
import type { CoinEntry } from '../../listings/index.ts';

export function requireDepositCoin({ catalogue }: Dependencies, crypto: string): CoinEntry {
  const coin = catalogue.now.coins.get(crypto.toLowerCase());
  if (coin !== undefined && coin.type !== 'fiat') return coin;
  throw new ApiRefusal('crypto_invalid', { crypto });
}

/** With several networks, the request must name one. */
export function requireDepositTerms(
  coin: CoinEntry,
  network: string | undefined,
): { readonly currency: string; readonly network: string } {
  const { networks, symbol: currency } = coin;
  if (!coin.allowDeposit || !coin.active) throw new ApiRefusal('deposits_are_off', { currency });
  const names = networks.length === 0 ? [currency] : networks;
  if (network === undefined) {
    if (names.length === 1) return { currency, network: names[0] };
    throw new ApiRefusal('network_missing', { currency, networks: names.join(',') });
  }
  if (names.includes(network)) return { currency, network };
  throw new ApiRefusal('network_invalid', { network, currency });
}
