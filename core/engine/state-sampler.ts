// A hash of a few records of the state after each frame, so two replicas can compare their
// states at any size. Frame number and state alone decide which records. Releases must agree: a
// field that a later release adds is mixed in only where it differs from its initial value.
// It detects bugs, not forgery.

import {
  INITIAL_LIMITS,
  LIMIT_NAMES,
  MARKET_STATUSES,
  RULES_VERSION_MIN,
} from '../messages/index.ts';
import { NONE } from '../structures/index.ts';
import type { Exchange, Withdrawal } from './exchange.ts';
import type { Market } from './market.ts';

// Records per frame: four to seven microseconds at a million orders and accounts. Each account is
// visited once in `accounts / 16` frames, and orders in random users' lists at 32 per frame.
const ACCOUNTS = 16;
const USERS = 4;
const ORDERS = 32;
const WINDOW_ENTRIES = 8;
const WITHDRAWALS = 2;
/** Users without orders that the search for the next order passes, per frame. */
const USERS_PASSED = 32;

const TWO_TO_32 = 4_294_967_296;

export class StateSampler {
  readonly #runFrames: number;
  #exchange: Exchange | undefined;
  /** The frame that continues the run; a run that was joined in the middle has no hash. */
  #next = 0;
  #low = 0;
  #high = 0;
  /** The slot of the user whose orders are visited, and the number of the next order; 0: first. */
  #user = 0;
  #order = 0;
  #withdrawals: Iterator<[number, Withdrawal]> | undefined;

  /** Runs begin at fixed frames. A run should pass all orders of the user with the most. */
  constructor(options: { readonly runFrames: number }) {
    this.#runFrames = options.runFrames;
  }

  /**
   * Visits records after a frame. Returns the hash of everything visited since the run began;
   * undefined until the first frame of a run.
   */
  after(exchange: Exchange): string | undefined {
    const { sequence } = exchange;
    if (sequence % this.#runFrames === 1 % this.#runFrames) this.#begin(exchange);
    else if (sequence !== this.#next || exchange !== this.#exchange) return undefined;
    this.#next = sequence + 1;
    this.#visitTotals(exchange);
    this.#visitAccounts(exchange);
    this.#visitUsers(exchange);
    this.#visitOrders(exchange);
    this.#visitWindow(exchange);
    this.#visitWithdrawals(exchange);
    const { assets, channelSequences, channelsFrozenBy, ledger, limits, markets } = exchange;
    const channel = 1 + (sequence % limits.channelsMax);
    this.#number(channelSequences[channel]);
    this.#number(channelsFrozenBy[channel]);
    if (markets.length > 0) this.#visitMarket(exchange, markets[sequence % markets.length]);
    if (assets.length > 0) {
      const { id, scale } = assets[sequence % assets.length];
      this.#number(scale);
      this.#amount(ledger.issuanceCapAtoms(id));
    }
    return hexadecimal(this.#low) + hexadecimal(this.#high);
  }

  #begin(exchange: Exchange): void {
    const { limits, sequence, users } = exchange;
    this.#exchange = exchange;
    this.#low = sequence | 0;
    this.#high = 0x9e3779b1;
    this.#withdrawals = undefined;
    this.#order = 0;
    const run = Math.floor(sequence / this.#runFrames);
    this.#user = users.size === 0 ? 0 : 1 + ((Math.imul(run, 0x9e3779b1) >>> 0) % users.size);
    for (const name of LIMIT_NAMES) {
      if (limits[name] === INITIAL_LIMITS[name]) continue;
      for (let at = 0; at < name.length; at++) this.#word(name.charCodeAt(at));
      this.#number(limits[name]);
    }
  }

  #visitTotals(exchange: Exchange): void {
    const { books, clientOrderIds, ledger, switches, users, window, withdrawals } = exchange;
    if (exchange.rulesVersion > RULES_VERSION_MIN) this.#word(exchange.rulesVersion);
    this.#number(exchange.timeMs);
    this.#number(exchange.commandsApplied);
    this.#number(exchange.tradesExecuted);
    this.#word(exchange.assets.length);
    this.#word(exchange.markets.length);
    this.#word(users.size);
    this.#word(ledger.accounts.size);
    this.#word(books.orders.size);
    this.#word(clientOrderIds.remembered);
    this.#word(window.size);
    this.#word(withdrawals.size);
    this.#word(switches.size);
    this.#word(switches.checksum);
  }

  /** Accounts have their slots in order of opening, on every replica. */
  #visitAccounts({ ledger, sequence }: Exchange): void {
    const { accounts } = ledger;
    if (accounts.size === 0) return;
    for (let index = 0; index < ACCOUNTS; index++) {
      const slot = 1 + ((sequence * ACCOUNTS + index) % accounts.size);
      this.#word(accounts.owner(slot));
      this.#word(accounts.asset(slot));
      for (let word = 0; word < 4; word++) this.#word(accounts.amountWord(slot, word));
    }
  }

  /** Users have their slots in order of creation. */
  #visitUsers(exchange: Exchange): void {
    const { books, clientOrderIds, sequence, switches, users } = exchange;
    if (users.size === 0) return;
    for (let index = 0; index < USERS; index++) {
      const slot = 1 + ((sequence * USERS + index) % users.size);
      this.#word(users.id(slot));
      this.#word(users.tier(slot));
      this.#word(users.discountPpm(slot));
      this.#word(users.isHouse(slot) ? 1 : 0);
      this.#number(books.groups[slot]);
      this.#word(users.ordersOpen(slot));
      this.#word(users.stopsOpen(slot));
      this.#word(users.accountsOpen(slot));
      this.#word(users.withdrawalsOpen(slot));
      this.#word(clientOrderIds.rememberedOf(slot));
      this.#word(switches.countOf(users.id(slot)));
    }
  }

  /** Slots of orders differ between replicas: users' lists, in order of placement, do not. */
  #visitOrders(exchange: Exchange): void {
    const { books, details, users } = exchange;
    if (users.size === 0 || books.orders.size === 0) return;
    let order = this.#order === 0 ? NONE : books.orders.find(this.#order as never);
    let passed = 0;
    for (let visited = 0; visited < ORDERS && passed < USERS_PASSED; ) {
      if (order === NONE) {
        this.#user = this.#user >= users.size ? 1 : this.#user + 1;
        order = users.firstOrder(this.#user);
        passed++;
        continue;
      }
      this.#visitOrder(exchange, order);
      visited++;
      order = details.userBehind(order);
    }
    this.#order = order === NONE ? 0 : books.orders.number(order);
  }

  #visitOrder(exchange: Exchange, order: number): void {
    const { books, clientOrderIds, details, users } = exchange;
    const { orders } = books;
    this.#number(orders.number(order));
    this.#number(orders.priceTicks(order));
    this.#number(orders.sizeLots(order));
    this.#number(orders.remainingLots(order));
    this.#number(orders.stopTicks(order));
    this.#word(orders.market(order));
    this.#word(users.id(orders.user(order)));
    this.#word(orders.terms(order));
    this.#word(orders.state(order));
    const behind = orders.behind(order);
    this.#number(behind === NONE ? 0 : orders.number(behind));
    this.#word(details.makerFeePpm(order));
    this.#word(details.takerFeePpm(order));
    this.#word(details.baseAccount(order));
    this.#word(details.quoteAccount(order));
    this.#word(details.key(order));
    const clientId = details.clientId(order);
    if (clientId !== NONE) this.#text(clientOrderIds.text(clientId));
    if (orders.expires(order)) this.#number(exchange.expiries.expiresMs(order));
  }

  #visitWindow({ sequence, window }: Exchange): void {
    if (window.size === 0) return;
    for (let index = 0; index < WINDOW_ENTRIES; index++) {
      const entry = window.fromOldest((sequence * WINDOW_ENTRIES + index) % window.size);
      this.#number(window.source(entry));
      this.#number(window.number(entry));
      this.#number(window.command(entry));
      this.#word(window.outcome(entry));
    }
  }

  /** A map returns its entries in order of insertion, which a snapshot keeps. */
  #visitWithdrawals({ withdrawals }: Exchange): void {
    for (let index = 0; index < WITHDRAWALS && withdrawals.size > 0; index++) {
      this.#withdrawals ??= withdrawals.entries();
      const { done, value } = this.#withdrawals.next();
      if (done === true) {
        this.#withdrawals = undefined;
        continue;
      }
      const [number, { amountAtoms, asset, destination, feeAsset, feeAtoms, user }] = value;
      this.#number(number);
      this.#word(user);
      this.#word(asset);
      this.#amount(amountAtoms);
      this.#word(feeAsset);
      this.#amount(feeAtoms);
      if (destination !== '') this.#text(destination);
    }
  }

  #visitMarket({ books, sequence }: Exchange, market: Market): void {
    this.#word(market.base);
    this.#word(market.quote);
    this.#amount(market.lotAtoms);
    this.#amount(market.tickLotAtoms);
    this.#number(market.minPriceTicks);
    this.#number(market.maxPriceTicks);
    this.#number(market.minSizeLots);
    this.#number(market.maxSizeLots);
    this.#number(market.listedTicks);
    this.#word(MARKET_STATUSES.indexOf(market.status));
    this.#number(market.frozenBy);
    this.#number(market.lastTicks);
    this.#word(market.bandPpm);
    this.#word(market.slippagePpm);
    this.#number(market.referenceTicks);
    this.#number(market.referenceSetMs);
    if (market.auctionEndsMs > 0) this.#number(market.auctionEndsMs);
    if (market.isUncrossing) this.#number(1 + market.auctionTicks);
    const tier = sequence % market.makerPpmByTier.length;
    this.#word(market.makerPpmByTier[tier]);
    this.#word(market.takerPpmByTier[tier]);
    const { levels, orders } = books;
    for (const tree of books.treesOf(market.id)) {
      const best = levels.best(tree);
      this.#number(best === NONE ? 0 : orders.number(levels.first(best)));
    }
    const ready = books.firstReady(market.id);
    this.#number(ready === NONE ? 0 : orders.number(ready));
  }

  /** A whole number of at most 53 bits. */
  #number(value: number): void {
    this.#word(value | 0);
    this.#word((value / TWO_TO_32) | 0);
  }

  #amount(atoms: bigint): void {
    this.#word(Number(BigInt.asIntN(32, atoms)));
    this.#word(Number(BigInt.asIntN(32, atoms >> 32n)));
  }

  #text(text: string): void {
    for (let at = 0; at < text.length; at++) this.#word(text.charCodeAt(at));
  }

  #word(word: number): void {
    const mixed = (this.#low + Math.imul(word, 0xc2b2ae3d)) | 0;
    this.#low = Math.imul((mixed << 13) | (mixed >>> 19), 0x9e3779b1) ^ this.#high;
    this.#high = (Math.imul(this.#high ^ (this.#high >>> 15), 0x85ebca77) + mixed) | 0;
  }
}

function hexadecimal(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0');
}
