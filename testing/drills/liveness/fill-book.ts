// Fills the drill's book: funded users with many open orders.

import { coin, order, USDT } from '../../flows/set-up.ts';
import type { CommandWithoutId } from '../../reference-models/index.ts';
import { LISTINGS } from '../../simulator/trading-commands.ts';
import type { Prober } from '../harness/prober.ts';

export const MARKET = 1;
export const BUYER = 2;
/** No other deposit uses this channel, because poison freezes it. */
export const POISON_CHANNEL = 2;
/** Also the limit on the fills of one order. */
export const ORDERS_PER_LEVEL = 1_000;
const CHANNEL = 1;
const FIRST_SELLER = 10;
const ORDERS_PER_SELLER = 5_000;
const LOWEST_TICKS = 10_000;
const LEVELS = 100;
const AT_ONCE = 4_000;

export async function fillBook(prober: Prober, orders: number): Promise<void> {
  await prober.sendAll(LISTINGS, 1);
  const sellers = Math.ceil(orders / ORDERS_PER_SELLER);
  await prober.sendAll(deposits(sellers), 1);
  await prober.sendAll(sells(orders), AT_ONCE);
}

function* deposits(sellers: number): Generator<CommandWithoutId> {
  const users = [BUYER, ...Array.from({ length: sellers }, (_, at) => FIRST_SELLER + at)];
  let channelSequence = 0;
  for (const user of users) {
    for (const [asset, { fundsAtoms }] of [USDT, coin('btc')].entries()) {
      const amount = { user, asset: asset + 1, amountAtoms: fundsAtoms };
      channelSequence++;
      yield { kind: 'CreditDeposit', channel: CHANNEL, channelSequence, ...amount, reference: '' };
    }
  }
}

function* sells(orders: number): Generator<CommandWithoutId> {
  for (let at = 0; at < orders; at++) {
    const user = FIRST_SELLER + Math.floor(at / ORDERS_PER_SELLER);
    const priceTicks = LOWEST_TICKS + (at % LEVELS);
    yield order({ user, market: MARKET, side: 'sell', priceTicks, sizeLots: 1 });
  }
}
