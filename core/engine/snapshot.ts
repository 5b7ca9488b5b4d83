// The complete state as canonical bytes: equal states give equal bytes on every machine, whatever
// slots they use. Restoring a snapshot and continuing equals never having stopped. The bytes come
// in chunks, so a state of any size needs the memory of one chunk.

import {
  INITIAL_LIMITS,
  LIMIT_NAMES,
  MARKET_STATUSES,
  RULES_VERSION_MIN,
  SHARE_NAMES,
} from '../messages/index.ts';
import { NONE } from '../structures/index.ts';
import type { Exchange } from './exchange.ts';
import { BytesHash } from './hash-bytes.ts';
import type { Market } from './market.ts';
import { SnapshotWriter } from './snapshot-writer.ts';

// Without shares of users, a state has the same bytes and hash as before shares existed.
export const SNAPSHOT_MAGIC = 0x52585331; // "RXS1"
export const SHARES_MAGIC = 0x52585332; // "RXS2"
/**
 * With shares, and with rules after the first: these states write their rules version. "RXS3" was
 * without the end of auctions and the times of client order ids, in no release.
 */
export const RULES_MAGIC = 0x52585334; // "RXS4"
export const NAMES_BEFORE_SHARES = LIMIT_NAMES.slice(0, -SHARE_NAMES.length);
/** The header is the magic and the frame sequence. The state hash covers the body only. */
export const SNAPSHOT_HEADER_BYTES = 12;

/** A chunk ends with the entry that reaches this size. */
export const SNAPSHOT_CHUNK_BYTES = 1024 * 1024;

type Chunks = Generator<Uint8Array, void>;

/** Each chunk is valid until the next is taken. The exchange must not change in between. */
export function* snapshotChunks(exchange: Exchange, chunkBytes = SNAPSHOT_CHUNK_BYTES): Chunks {
  const writer = new SnapshotWriter(chunkBytes);
  const { limits } = exchange;
  const hasRules = exchange.rulesVersion > RULES_VERSION_MIN;
  const hasShares = hasRules || SHARE_NAMES.some((name) => limits[name] !== INITIAL_LIMITS[name]);
  writer.integer(hasRules ? RULES_MAGIC : hasShares ? SHARES_MAGIC : SNAPSHOT_MAGIC);
  writer.number(exchange.sequence);
  if (hasRules) writer.integer(exchange.rulesVersion);
  for (const name of hasShares ? LIMIT_NAMES : NAMES_BEFORE_SHARES) writer.number(limits[name]);
  writer.number(exchange.timeMs);
  writer.number(exchange.commandsApplied);
  writer.number(exchange.tradesExecuted);
  yield* writeAssets(writer, exchange);
  yield* writeAccounts(writer, exchange);
  yield* writeUsers(writer, exchange);
  yield* writeMarkets(writer, exchange);
  yield* writeOrders(writer, exchange);
  yield* writeClientOrderIds(writer, exchange);
  yield* writeWindow(writer, exchange);
  yield* writeChannels(writer, exchange);
  yield* writeWithdrawals(writer, exchange);
  yield* writeSwitches(writer, exchange);
  yield writer.take();
}

/** Returns all bytes in one piece, for a small state. */
export function snapshotExchange(exchange: Exchange): Uint8Array {
  const chunks = Array.from(snapshotChunks(exchange), (chunk) => new Uint8Array(chunk));
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The hash of the complete state. Equal states have equal hashes, whatever their history. */
export function hashExchange(exchange: Exchange): string {
  const hash = new SnapshotHash();
  for (const chunk of snapshotChunks(exchange)) hash.add(chunk);
  return hash.end();
}

/** The hash of the state in a snapshot, without restoring it. */
export class SnapshotHash {
  readonly #hash = new BytesHash();
  #headerLeft = SNAPSHOT_HEADER_BYTES;

  add(chunk: Uint8Array): void {
    const skipped = Math.min(this.#headerLeft, chunk.length);
    this.#headerLeft -= skipped;
    this.#hash.add(chunk.subarray(skipped));
  }

  end(): string {
    return this.#hash.end();
  }
}

function* writeAssets(writer: SnapshotWriter, { assets, ledger }: Exchange): Chunks {
  writer.integer(assets.length);
  for (const asset of assets) {
    if (writer.isFull) yield writer.take();
    writer.text(asset.symbol);
    writer.integer(asset.scale);
    writer.atoms(ledger.issuanceCapAtoms(asset.id));
  }
}

function* writeAccounts(writer: SnapshotWriter, { ledger }: Exchange): Chunks {
  const { accounts } = ledger;
  writer.integer(accounts.size);
  for (let slot = 1; slot <= accounts.size; slot++) {
    if (writer.isFull) yield writer.take();
    writer.integer(accounts.owner(slot));
    writer.integer(accounts.asset(slot));
    writer.atoms(accounts.availableAtoms(slot));
    writer.atoms(accounts.heldAtoms(slot));
  }
}

function* writeUsers(writer: SnapshotWriter, { books, users }: Exchange): Chunks {
  writer.integer(users.size);
  for (let slot = 1; slot <= users.size; slot++) {
    if (writer.isFull) yield writer.take();
    writer.integer(users.id(slot));
    writer.integer(users.tier(slot));
    writer.integer(users.discountPpm(slot));
    writer.integer(users.isHouse(slot) ? 1 : 0);
    writer.number(books.groups[slot]);
  }
}

function* writeMarkets(writer: SnapshotWriter, { markets, rulesVersion }: Exchange): Chunks {
  writer.integer(markets.length);
  for (const market of markets) {
    if (writer.isFull) yield writer.take();
    writeMarket(writer, market);
    if (rulesVersion > RULES_VERSION_MIN) writeAuction(writer, market);
  }
}

function writeMarket(writer: SnapshotWriter, market: Market): void {
  writer.integer(market.base);
  writer.integer(market.quote);
  writer.atoms(market.lotAtoms);
  writer.number(market.tickMantissa);
  writer.integer(market.tickScale);
  writer.atoms(market.tickLotAtoms);
  writer.number(market.minPriceTicks);
  writer.number(market.maxPriceTicks);
  writer.number(market.minSizeLots);
  writer.number(market.maxSizeLots);
  writer.number(market.listedTicks);
  writer.integer(MARKET_STATUSES.indexOf(market.status));
  writer.number(market.frozenBy);
  writer.number(market.lastTicks);
  writer.integer(market.bandPpm);
  writer.integer(market.slippagePpm);
  writer.number(market.referenceTicks);
  writer.number(market.referenceSetMs);
  for (const ppm of market.makerPpmByTier) writer.integer(ppm);
  for (const ppm of market.takerPpmByTier) writer.integer(ppm);
}

/** The first rules have no auctions. */
function writeAuction(writer: SnapshotWriter, market: Market): void {
  writer.number(market.auctionEndsMs);
  writer.integer(market.isUncrossing ? 1 : 0);
  writer.number(market.auctionTicks);
}

/** By market: the level trees, each best first in queue order; then ready. */
function* writeOrders(writer: SnapshotWriter, exchange: Exchange): Chunks {
  const { books, markets } = exchange;
  writer.integer(books.orders.size);
  for (const market of markets) {
    for (const tree of books.treesOf(market.id)) {
      let level = books.levels.best(tree);
      for (; level !== NONE; level = books.levels.after(level)) {
        yield* writeQueue(writer, exchange, books.levels.first(level));
      }
    }
    yield* writeQueue(writer, exchange, books.firstReady(market.id));
  }
}

function* writeQueue(writer: SnapshotWriter, exchange: Exchange, first: number): Chunks {
  const { books, clientOrderIds, details, expiries, links } = exchange;
  const { orders } = books;
  for (let order = first; order !== NONE; order = orders.behind(order)) {
    if (writer.isFull) yield writer.take();
    writer.number(orders.number(order));
    writer.number(orders.priceTicks(order));
    writer.number(orders.sizeLots(order));
    writer.number(orders.remainingLots(order));
    writer.number(orders.stopTicks(order));
    writer.integer(orders.market(order));
    writer.integer(orders.user(order));
    writer.integer(orders.terms(order));
    writer.integer(orders.state(order));
    writer.integer(details.makerFeePpm(order));
    writer.integer(details.takerFeePpm(order));
    writer.integer(details.baseAccount(order));
    writer.integer(details.quoteAccount(order));
    writer.integer(details.key(order));
    const clientId = details.clientId(order);
    writer.text(clientId === NONE ? '' : clientOrderIds.text(clientId));
    if (orders.expires(order)) writer.number(expiries.expiresMs(order));
    if (orders.isLinked(order)) writer.number(orders.number(links.get(order) as number));
  }
}

function* writeClientOrderIds(writer: SnapshotWriter, exchange: Exchange): Chunks {
  const { clientOrderIds, rulesVersion, users } = exchange;
  writer.integer(clientOrderIds.remembered);
  let entry = clientOrderIds.firstRemembered;
  for (; entry !== NONE; entry = clientOrderIds.nextRemembered(entry)) {
    if (writer.isFull) yield writer.take();
    writer.integer(users.id(clientOrderIds.user(entry)));
    writer.number(clientOrderIds.order(entry));
    writer.text(clientOrderIds.text(entry));
    if (rulesVersion > RULES_VERSION_MIN) writer.number(clientOrderIds.closedSeconds(entry));
  }
}

function* writeWindow(writer: SnapshotWriter, { window }: Exchange): Chunks {
  writer.integer(window.size);
  for (let age = 0; age < window.size; age++) {
    if (writer.isFull) yield writer.take();
    const entry = window.fromOldest(age);
    writer.number(window.source(entry));
    writer.number(window.number(entry));
    writer.number(window.command(entry));
    writer.integer(window.outcome(entry));
  }
}

function* writeChannels(writer: SnapshotWriter, exchange: Exchange): Chunks {
  for (let channel = 1; channel <= exchange.limits.channelsMax; channel++) {
    if (writer.isFull) yield writer.take();
    writer.number(exchange.channelSequences[channel]);
    writer.number(exchange.channelsFrozenBy[channel]);
  }
}

function* writeWithdrawals(
  writer: SnapshotWriter,
  { rulesVersion, withdrawals }: Exchange,
): Chunks {
  writer.integer(withdrawals.size);
  for (const [withdrawal, open] of withdrawals) {
    if (writer.isFull) yield writer.take();
    writer.number(withdrawal);
    writer.integer(open.user);
    writer.integer(open.asset);
    writer.atoms(open.amountAtoms);
    writer.integer(open.feeAsset);
    writer.atoms(open.feeAtoms);
    if (rulesVersion >= 3) writer.text(open.destination);
  }
}

function* writeSwitches(writer: SnapshotWriter, { switches }: Exchange): Chunks {
  writer.integer(switches.size);
  for (const armed of switches.inOrder()) {
    if (writer.isFull) yield writer.take();
    writer.integer(armed.user);
    writer.integer(armed.key);
    writer.number(armed.deadlineMs);
  }
}
