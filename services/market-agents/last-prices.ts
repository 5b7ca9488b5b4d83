// Last prices on the exchange, from which the fair value continues.

import type { AssetPrices } from '../../agents/index.ts';
import { RialtoClient } from '../../client/index.ts';

/** Pair that provides each asset's price. */
const PAIRS = { btc: 'btc-usdt', eth: 'eth-usdt', rlt: 'rlt-usdt', eur: 'usdt-eur' };

/** Omits assets that have not traded. */
export async function readPrices(url: string): Promise<AssetPrices> {
  const tickers = await new RialtoClient({ url }).getTickers();
  const found = Object.entries(PAIRS).map(
    ([asset, pair]) => [asset, Number(tickers[pair]?.last ?? 0)] as const,
  );
  return Object.fromEntries(found.filter(([, price]) => price > 0));
}
