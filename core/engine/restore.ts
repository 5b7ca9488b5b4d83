// Restores an exchange from snapshot bytes. Parts are rebuilt in the order they were written, so
// users and accounts get the slots that orders refer to, and every queue keeps its order.

import { areTerms, READY, RESTING, WAITING } from '../matching/index.ts';
import {
  INITIAL_LIMITS,
  LIMIT_NAMES,
  type Limits,
  MARKET_STATUSES,
  type MarketStatus,
  RULES_VERSION_MIN,
} from '../messages/index.ts';
import type {
  AssetId,
  CommandNumber,
  KeyId,
  Lots,
  MarketId,
  OrderNumber,
  Ppm,
  Ticks,
  TimeMs,
  UserId,
} from '../money/index.ts';
import { assert, type HashKey, NONE } from '../structures/index.ts';
import { createExchange } from './create-exchange.ts';
import type { Exchange } from './exchange.ts';
import { FEE_TIERS, type Market, setReference } from './market.ts';
import { listUserOrder } from './match-listener.ts';
import { followRules, requireRunnable } from './rules-version.ts';
import { NAMES_BEFORE_SHARES, RULES_MAGIC, SHARES_MAGIC, SNAPSHOT_MAGIC } from './snapshot.ts';
import { SnapshotReader } from './snapshot-reader.ts';

/** `limits` sizes the stores in place of the limits in the snapshot. */
export function restoreExchange(bytes: Uint8Array, limits?: Limits, hashKey?: HashKey): Exchange {
  const restoration = new ExchangeRestoration(limits, hashKey);
  restoration.add(bytes);
  return restoration.end();
}

/** An exchange restored chunk by chunk. Throws on bytes that are not a snapshot. */
export class ExchangeRestoration {
  readonly #reader = new SnapshotReader();
  readonly #steps: Steps<Exchange>;

  constructor(limits?: Limits, hashKey?: HashKey) {
    this.#steps = restoring(this.#reader, limits, hashKey);
  }

  add(chunk: Uint8Array): void {
    this.#reader.add(chunk);
    const { done } = this.#steps.next();
    assert(!done, 'a snapshot has no bytes after its state');
  }

  end(): Exchange {
    this.#reader.complete();
    const step = this.#steps.next();
    assert(step.done === true, 'a complete snapshot is read to its end');
    return step.value;
  }
}

/** Returns to its caller whenever the next entry might be missing. */
type Steps<Result = void> = Generator<void, Result, void>;

function* restoring(reader: SnapshotReader, limits?: Limits, hashKey?: HashKey): Steps<Exchange> {
  while (reader.isShort) yield;
  const magic = reader.integer();
  const hasRules = magic === RULES_MAGIC;
  const hasShares = hasRules || magic === SHARES_MAGIC;
  const isKnown = hasShares || magic === SNAPSHOT_MAGIC;
  assert(isKnown, 'a snapshot begins with its magic number');
  const sequence = reader.number();
  const rulesVersion = hasRules ? reader.integer() : RULES_VERSION_MIN;
  requireRunnable(rulesVersion);
  const written = readLimits(reader, hasShares ? LIMIT_NAMES : NAMES_BEFORE_SHARES);
  const exchange = createExchange(limits ?? written, hashKey);
  exchange.sequence = sequence;
  followRules(exchange, rulesVersion);
  exchange.timeMs = reader.number() as TimeMs;
  exchange.commandsApplied = reader.number();
  exchange.tradesExecuted = reader.number();
  yield* readAssets(reader, exchange);
  yield* readAccounts(reader, exchange);
  yield* readUsers(reader, exchange);
  yield* readMarkets(reader, exchange);
  yield* readOrders(reader, exchange);
  yield* readClientOrderIds(reader, exchange);
  yield* readWindow(reader, exchange);
  yield* readChannels(reader, exchange, written.channelsMax);
  yield* readWithdrawals(reader, exchange);
  yield* readSwitches(reader, exchange);
  while (reader.isShort) yield;
  assert(reader.isAtEnd(), 'a snapshot has no bytes after its state');
  return exchange;
}

function readLimits(reader: SnapshotReader, names: readonly (keyof Limits)[]): Limits {
  const limits: Record<keyof Limits, number> = { ...INITIAL_LIMITS };
  for (const name of names) limits[name] = reader.number();
  return limits;
}

function* readAssets(reader: SnapshotReader, exchange: Exchange): Steps {
  while (reader.isShort) yield;
  const count = reader.integer();
  for (let id = 1; id <= count; id++) {
    while (reader.isShort) yield;
    const asset = { id: id as AssetId, symbol: reader.text(), scale: reader.integer() };
    exchange.assets.push(asset);
    exchange.ledger.reopenAsset(asset.id, reader.atoms());
  }
}

function* readAccounts(reader: SnapshotReader, { ledger }: Exchange): Steps {
  while (reader.isShort) yield;
  const count = reader.integer();
  ledger.accounts.reserve(count);
  for (let slot = 1; slot <= count; slot++) {
    while (reader.isShort) yield;
    const owner = reader.integer();
    ledger.reopenAccount(owner, reader.integer() as AssetId, reader.atoms(), reader.atoms());
  }
}

function* readUsers(reader: SnapshotReader, { books, ledger, users }: Exchange): Steps {
  while (reader.isShort) yield;
  const count = reader.integer();
  users.reserve(count);
  for (let index = 0; index < count; index++) {
    while (reader.isShort) yield;
    const slot = users.findOrAdd(reader.integer() as UserId);
    users.setFees(slot, reader.integer(), reader.integer() as Ppm);
    users.setHouse(slot, reader.flag());
    books.groups[slot] = reader.number();
  }
  const { accounts } = ledger;
  for (let account = 1; account <= accounts.size; account++) {
    const owner = accounts.owner(account);
    const slot = owner > 0 ? users.find(owner as UserId) : NONE;
    if (slot !== NONE) users.setAccountsOpen(slot, users.accountsOpen(slot) + 1);
  }
}

function* readMarkets(reader: SnapshotReader, exchange: Exchange): Steps {
  while (reader.isShort) yield;
  const count = reader.integer();
  for (let id = 1; id <= count; id++) {
    while (reader.isShort) yield;
    const market = readMarket(reader, id as MarketId);
    if (exchange.rulesVersion > RULES_VERSION_MIN) readAuction(reader, market);
    exchange.markets.push(market);
  }
}

function readMarket(reader: SnapshotReader, id: MarketId): Market {
  const market: Market = {
    id,
    base: reader.integer() as AssetId,
    quote: reader.integer() as AssetId,
    lotAtoms: reader.atoms(),
    tickMantissa: reader.number(),
    tickScale: reader.integer(),
    tickLotAtoms: reader.atoms(),
    minPriceTicks: reader.number() as Ticks,
    maxPriceTicks: reader.number() as Ticks,
    minSizeLots: reader.number() as Lots,
    maxSizeLots: reader.number() as Lots,
    listedTicks: reader.number() as Ticks,
    status: MARKET_STATUSES[reader.integer()] as MarketStatus,
    auctionEndsMs: 0 as TimeMs,
    isUncrossing: false,
    auctionTicks: 0 as Ticks,
    frozenBy: reader.number() as CommandNumber,
    lastTicks: reader.number() as Ticks,
    bandPpm: reader.integer() as Ppm,
    slippagePpm: reader.integer() as Ppm,
    referenceTicks: reader.number() as Ticks,
    referenceSetMs: reader.number() as TimeMs,
    highestTicks: 0 as Ticks,
    lowestTicks: 0 as Ticks,
    makerPpmByTier: new Int32Array(FEE_TIERS),
    takerPpmByTier: new Int32Array(FEE_TIERS),
  };
  setReference(market, market.referenceTicks, market.referenceSetMs);
  for (let tier = 0; tier < FEE_TIERS; tier++) market.makerPpmByTier[tier] = reader.integer();
  for (let tier = 0; tier < FEE_TIERS; tier++) market.takerPpmByTier[tier] = reader.integer();
  return market;
}

function readAuction(reader: SnapshotReader, market: Market): void {
  market.auctionEndsMs = reader.number() as TimeMs;
  market.isUncrossing = reader.flag();
  market.auctionTicks = reader.number() as Ticks;
}

function* readOrders(reader: SnapshotReader, exchange: Exchange): Steps {
  const { books } = exchange;
  const { orders } = books;
  while (reader.isShort) yield;
  const count = reader.integer();
  orders.reserve(count);
  const numbers = new Float64Array(count);
  const links: [order: number, other: OrderNumber][] = [];
  for (let index = 0; index < count; index++) {
    while (reader.isShort) yield;
    const order = readOrder(reader, exchange);
    numbers[index] = orders.number(order);
    const state = reader.integer();
    if (state === RESTING) books.rest(order);
    else if (state === WAITING) books.wait(order);
    else if (state === READY) books.joinReady(order);
    else assert(false, 'an order in a snapshot is in a queue');
    readOrderDetail(reader, exchange, order);
    if (orders.expires(order)) {
      const [number, market] = [orders.number(order), orders.market(order)];
      const expiresMs = reader.number() as TimeMs;
      exchange.expiries.add({ expiresMs, number, slot: order, market });
    }
    if (orders.isLinked(order)) links.push([order, reader.number() as OrderNumber]);
  }
  for (const [order, other] of links) exchange.links.set(order, orders.find(other));
  // A user's list is in order of placement, which is the order of the numbers.
  for (const number of numbers.sort()) {
    const order = orders.find(number as OrderNumber);
    listUserOrder(exchange, orders.user(order), order);
  }
}

function readOrder(reader: SnapshotReader, { books, markets, users }: Exchange): number {
  const { orders } = books;
  const number = reader.number() as OrderNumber;
  const price = reader.number() as Ticks;
  const size = reader.number() as Lots;
  const remaining = reader.number() as Lots;
  const stop = reader.number() as Ticks;
  const market = reader.integer();
  const user = reader.integer();
  assert(market >= 1 && market <= markets.length, 'an order in a snapshot has a market');
  assert(user >= 1 && user <= users.size, 'an order in a snapshot has a user');
  const terms = reader.integer();
  assert(areTerms(terms), 'an order in a snapshot has valid terms');
  const order = orders.add(number, market, user, terms);
  orders.setPriceTicks(order, price);
  orders.setSizeLots(order, size);
  orders.setRemainingLots(order, remaining);
  orders.setStopTicks(order, stop);
  return order;
}

function readOrderDetail(reader: SnapshotReader, exchange: Exchange, order: number): void {
  const { books, clientOrderIds, details } = exchange;
  const detail = {
    makerFeePpm: reader.integer() as Ppm,
    takerFeePpm: reader.integer() as Ppm,
    baseAccount: reader.integer(),
    quoteAccount: reader.integer(),
    key: reader.integer() as KeyId,
    clientId: NONE,
  };
  const text = reader.text();
  if (text !== '') {
    detail.clientId = clientOrderIds.add(
      books.orders.user(order),
      text,
      books.orders.number(order),
    );
  }
  details.set(order, detail);
}

function* readClientOrderIds(reader: SnapshotReader, exchange: Exchange): Steps {
  const { clientOrderIds, rulesVersion, users } = exchange;
  while (reader.isShort) yield;
  const count = reader.integer();
  for (let index = 0; index < count; index++) {
    while (reader.isShort) yield;
    const user = users.find(reader.integer() as UserId);
    const order = reader.number() as OrderNumber;
    const entry = clientOrderIds.add(user, reader.text(), order);
    const seconds = rulesVersion > RULES_VERSION_MIN ? reader.number() : 0;
    clientOrderIds.remember(entry, (seconds * 1_000) as TimeMs);
  }
}

function* readWindow(reader: SnapshotReader, { window }: Exchange): Steps {
  while (reader.isShort) yield;
  const count = reader.integer();
  for (let index = 0; index < count; index++) {
    while (reader.isShort) yield;
    const id = { source: reader.number(), number: reader.number() };
    window.remember(id, reader.number() as CommandNumber, reader.integer());
  }
}

function* readChannels(reader: SnapshotReader, exchange: Exchange, channels: number): Steps {
  for (let channel = 1; channel <= channels; channel++) {
    while (reader.isShort) yield;
    exchange.channelSequences[channel] = reader.number();
    exchange.channelsFrozenBy[channel] = reader.number();
  }
}

function* readWithdrawals(reader: SnapshotReader, exchange: Exchange): Steps {
  const { rulesVersion, users, withdrawals } = exchange;
  while (reader.isShort) yield;
  const count = reader.integer();
  for (let index = 0; index < count; index++) {
    while (reader.isShort) yield;
    const withdrawal = reader.number();
    const user = reader.integer() as UserId;
    withdrawals.set(withdrawal, {
      user,
      asset: reader.integer() as AssetId,
      amountAtoms: reader.atoms(),
      feeAsset: reader.integer() as AssetId,
      feeAtoms: reader.atoms(),
      destination: rulesVersion >= 3 ? reader.text() : '',
    });
    const slot = users.find(user);
    users.setWithdrawalsOpen(slot, users.withdrawalsOpen(slot) + 1);
  }
}

function* readSwitches(reader: SnapshotReader, { switches }: Exchange): Steps {
  while (reader.isShort) yield;
  const count = reader.integer();
  for (let index = 0; index < count; index++) {
    while (reader.isShort) yield;
    const user = reader.integer() as UserId;
    const key = (reader.integer() >>> 0) as KeyId;
    switches.arm({ user, key, deadlineMs: reader.number() as TimeMs });
  }
}
