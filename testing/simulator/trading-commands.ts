// Commands of simulated clients: a small exchange with two assets and one market, a few users with
// deposits from channels, and orders that often match.

import type { Command, CommandId } from '../../core/messages/index.ts';
import type { Random } from '../flows/index.ts';
import { coin, order, USDT, usualMarket } from '../flows/set-up.ts';
import type { CommandWithoutId } from '../reference-models/index.ts';

const MARKET = 1;
const MIDDLE_TICKS = 10_000;
const ORDERS_KEPT = 8;
export const TAKER_PPM = 1_000;

/** Commands that set up the exchange; each must be accepted before trading begins. */
export const LISTINGS: readonly CommandWithoutId[] = [
  { kind: 'ListAsset', ...listed(USDT) },
  { kind: 'ListAsset', ...listed(coin('btc')) },
  listedMarket(),
  { kind: 'SetMarketFees', market: MARKET, tier: 1, makerPpm: 500, takerPpm: TAKER_PPM },
];

/** One user at one gateway, with its own deposit channel. */
export class Trader {
  readonly #random: Random;
  readonly #user: number;
  readonly #channel: number;
  #channelSequence = 0;
  readonly #orders: number[] = [];

  constructor(random: Random, { user, channel }: { user: number; channel: number }) {
    this.#random = random;
    this.#user = user;
    this.#channel = channel;
  }

  next(): CommandWithoutId {
    const random = this.#random;
    const dice = random.below(100);
    if (this.#channelSequence < 2 || dice < 8) return this.#deposit();
    if (dice < 20 && this.#orders.length > 0) return this.#cancel();
    if (dice < 28 && this.#orders.length > 0) return this.#amend();
    if (dice < 31) {
      return { kind: 'CancelAllOrders', user: this.#user, market: 0, byOperator: false };
    }
    if (dice < 34) {
      const timeoutMs = random.chance(30) ? 0 : random.between(100, 2_000);
      return { kind: 'SetDeadManSwitch', user: this.#user, key: 0, timeoutMs };
    }
    return this.#order();
  }

  /** Records the number of an order in the log. */
  learnOrder(number: number): void {
    this.#orders.push(number);
    if (this.#orders.length > ORDERS_KEPT) this.#orders.shift();
  }

  /** A deposit that was definitely not taken leaves its channel sequence free. */
  depositNotTaken(channelSequence: number): void {
    if (channelSequence === this.#channelSequence) this.#channelSequence -= 1;
  }

  #deposit(): CommandWithoutId {
    this.#channelSequence += 1;
    const isQuote = this.#channelSequence % 2 === 1;
    return {
      kind: 'CreditDeposit',
      channel: this.#channel,
      channelSequence: this.#channelSequence,
      user: this.#user,
      asset: isQuote ? 1 : 2,
      amountAtoms: isQuote ? USDT.fundsAtoms : coin('btc').fundsAtoms,
      reference: `d${this.#channelSequence}`,
    };
  }

  #order(): CommandWithoutId {
    const random = this.#random;
    const isMarket = random.chance(8);
    const side = random.chance(50) ? 'buy' : 'sell';
    const isStop = !isMarket && random.chance(8);
    return order({
      user: this.#user,
      market: MARKET,
      side,
      type: isMarket ? 'market' : 'limit',
      timeInForce: isMarket || random.chance(15) ? 'IOC' : 'GTC',
      priceTicks: isMarket ? 0 : MIDDLE_TICKS + random.between(-6, 6),
      stopTicks: isStop ? MIDDLE_TICKS + random.between(-6, 6) : 0,
      trigger: isStop && random.chance(40) ? 'take_profit' : 'stop',
      sizeLots: random.between(1, 200),
      ...(isStop && this.#orders.length > 0 && { linkedOrder: random.pick(this.#orders) }),
      clientOrderId: random.chance(25) ? `c${random.below(40)}` : '',
    });
  }

  #cancel(): CommandWithoutId {
    const random = this.#random;
    if (random.chance(20)) {
      const clientOrderId = `c${random.below(40)}`;
      return { kind: 'CancelOrderByClientId', user: this.#user, clientOrderId };
    }
    const cancelled = random.pick(this.#orders);
    return { kind: 'CancelOrder', user: this.#user, order: cancelled, byOperator: false };
  }

  #amend(): CommandWithoutId {
    const random = this.#random;
    const amended = random.pick(this.#orders);
    const priceTicks = random.chance(50) ? 0 : MIDDLE_TICKS + random.between(-6, 6);
    const sizeLots = random.between(1, 200);
    const stopTicks = random.chance(15) ? MIDDLE_TICKS + random.between(-6, 6) : 0;
    const change = { priceTicks, sizeLots, stopTicks };
    return { kind: 'AmendOrder', user: this.#user, order: amended, ...change };
  }
}

export function withId(body: CommandWithoutId, id: CommandId): Command {
  return { ...body, ...id } as unknown as Command;
}

function listed({ symbol, scale, issuanceCapAtoms }: typeof USDT): {
  symbol: string;
  scale: number;
  issuanceCapAtoms: bigint;
} {
  return { symbol, scale, issuanceCapAtoms };
}

function listedMarket(): CommandWithoutId {
  const {
    market: _,
    middleTicks: __,
    ...listing
  } = usualMarket({
    market: MARKET,
    base: 2,
    quote: 1,
  });
  return { kind: 'ListMarket', ...listing };
}
