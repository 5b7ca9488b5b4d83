// The amounts that a demo exchange gives its users, from the kit.

import type { Coin } from '../../../client/index.ts';

export interface PlayMoneyOffer {
  readonly coin: Coin;
  readonly amount: string;
}

interface KitWithPlayMoney {
  readonly native_currency: string;
  readonly play_money: Readonly<Record<string, unknown>>;
}

/** The currency of the exchange comes first. Ignores coins that are not listed. */
export function playMoneyOf(
  { native_currency: first, play_money: { amounts } }: KitWithPlayMoney,
  coins: Readonly<Record<string, Coin>>,
): readonly PlayMoneyOffer[] {
  const offers = Object.entries(amounts ?? {}).flatMap(([symbol, amount]) => {
    const coin = coins[symbol];
    return coin === undefined ? [] : [{ coin, amount: String(amount) }];
  });
  const isFirst = ({ coin }: PlayMoneyOffer) => coin.symbol === first;
  return [...offers.filter(isFirst), ...offers.filter((offer) => !isFirst(offer))];
}
