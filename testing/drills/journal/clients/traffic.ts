// Commands of the drill's clients: deposits through a channel, orders that trade with each other,
// some with client order IDs, and cancels. A duplicate would show in a user's balance.

import type { Random } from '../../../flows/index.ts';
import { coin, order, USDT, usualMarket } from '../../../flows/set-up.ts';
import type { CommandWithoutId } from '../../../reference-models/index.ts';

const MARKET = 1;
const MIDDLE_TICKS = 10_000;
const AROUND_TICKS = 6;
const ORDERS_KEPT = 16;
/** A user's first deposits last for the entire drill; the later ones are small. */
const LARGE_DEPOSITS = 2;
const SMALL_DEPOSIT_ATOMS = 1_000_000n;

/** Commands that set up the exchange; each is retried until it is answered, before any trading. */
export const LISTINGS: readonly CommandWithoutId[] = [
  listedAsset(USDT),
  listedAsset(coin('btc')),
  listedMarket(),
  { kind: 'SetMarketFees', market: MARKET, tier: 0, makerPpm: 500, takerPpm: 1_000 },
];

/** One user with its own orders. */
export class Trader {
  readonly user: number;
  readonly #random: Random;
  readonly #orders: number[] = [];
  #clientOrderIds = 0;

  constructor(user: number, random: Random) {
    this.user = user;
    this.#random = random;
  }

  next(): CommandWithoutId {
    const random = this.#random;
    const dice = random.below(1_000);
    const { user } = this;
    if (dice < 5) return { kind: 'CancelAllOrders', user, market: 0, byOperator: false };
    if (dice < 15 && this.#clientOrderIds > 0) {
      const clientOrderId = `c${random.between(1, this.#clientOrderIds)}`;
      return { kind: 'CancelOrderByClientId', user, clientOrderId };
    }
    if (dice < 300 && this.#orders.length > 0) {
      return { kind: 'CancelOrder', user, order: random.pick(this.#orders), byOperator: false };
    }
    return this.#order();
  }

  learnOrder(number: number): void {
    this.#orders.push(number);
    if (this.#orders.length > ORDERS_KEPT) this.#orders.shift();
  }

  #order(): CommandWithoutId {
    const random = this.#random;
    const isMarket = random.chance(5);
    return order({
      user: this.user,
      market: MARKET,
      side: random.chance(50) ? 'buy' : 'sell',
      type: isMarket ? 'market' : 'limit',
      timeInForce: isMarket || random.chance(10) ? 'IOC' : 'GTC',
      priceTicks: isMarket ? 0 : MIDDLE_TICKS + random.between(-AROUND_TICKS, AROUND_TICKS),
      sizeLots: random.between(1, 200),
      clientOrderId: random.chance(20) ? `c${++this.#clientOrderIds}` : '',
    });
  }
}

/**
 * External source of deposits. One deposit is in flight at a time; after an unknown outcome it is
 * retried with the same channel sequence, which must never pay twice.
 */
export class DepositChannel {
  readonly #channel: number;
  readonly #users: readonly number[];
  #sequence = 0;
  #isInFlight = false;

  constructor(channel: number, users: readonly number[]) {
    this.#channel = channel;
    this.#users = users;
  }

  get isInFlight(): boolean {
    return this.#isInFlight;
  }

  /** Until every user is funded, there is nothing to trade with. */
  get hasFunded(): boolean {
    return this.#sequence >= LARGE_DEPOSITS * this.#users.length;
  }

  next(): CommandWithoutId {
    this.#isInFlight = true;
    const index = this.#sequence;
    const user = this.#users[Math.floor(index / LARGE_DEPOSITS) % this.#users.length];
    const plan = index % 2 === 0 ? USDT : coin('btc');
    return {
      kind: 'CreditDeposit',
      channel: this.#channel,
      channelSequence: index + 1,
      user,
      asset: (index % 2) + 1,
      amountAtoms: this.hasFunded ? SMALL_DEPOSIT_ATOMS : plan.fundsAtoms,
      reference: `d${index + 1}`,
    };
  }

  settle(isAnswered: boolean): void {
    this.#isInFlight = false;
    if (isAnswered) this.#sequence++;
  }
}

function listedAsset({ symbol, scale, issuanceCapAtoms }: typeof USDT): CommandWithoutId {
  return { kind: 'ListAsset', symbol, scale, issuanceCapAtoms };
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
