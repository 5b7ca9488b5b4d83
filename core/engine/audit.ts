// Checks an entire exchange against its invariants, slowly and from scratch: every asset sums to
// zero, holds match open orders and withdrawals exactly, books are sorted, and crossed only in
// auctions.

import { assert, NONE } from '../structures/index.ts';
import type { Exchange } from './exchange.ts';
import type { Market } from './market.ts';
import { holdFor } from './match-listener.ts';
import { bookOf } from './views.ts';

/** Throws on the first violated invariant. */
export function auditExchange(exchange: Exchange): void {
  exchange.ledger.audit();
  auditHolds(exchange);
  for (const market of exchange.markets) auditBook(exchange, market);
  auditUserLists(exchange);
  auditShares(exchange);
}

function auditHolds(exchange: Exchange): void {
  const { books, details, ledger, users, withdrawals } = exchange;
  const { orders } = books;
  const needed = new Map<number, bigint>();
  const need = (account: number, atoms: bigint): void => {
    needed.set(account, (needed.get(account) ?? 0n) + atoms);
  };
  for (let user = 1; user <= users.size; user++) {
    let order = users.firstOrder(user);
    for (; order !== NONE; order = details.userBehind(order)) {
      const market = exchange.markets[orders.market(order) - 1];
      const sells = orders.sells(order);
      const lots = orders.remainingLots(order);
      const account = sells ? details.baseAccount(order) : details.quoteAccount(order);
      const full = holdFor(market, sells, orders.priceTicks(order), lots);
      const other = exchange.links.get(order);
      assert(orders.isLinked(order) === (other !== undefined), 'linked orders have a link');
      if (other === undefined || orders.number(other) > orders.number(order)) {
        need(account, full);
      } else {
        assert(exchange.links.get(other) === order, 'a link has two ends');
        assert(orders.remainingLots(other) === lots, 'linked orders are unfilled');
        const shared = holdFor(market, sells, orders.priceTicks(other), lots);
        if (full > shared) need(account, full - shared);
      }
    }
  }
  for (const open of withdrawals.values()) {
    need(ledger.accounts.find(open.user, open.asset), open.amountAtoms);
    if (open.feeAtoms > 0n) need(ledger.accounts.find(open.user, open.feeAsset), open.feeAtoms);
  }
  for (let account = 1; account <= ledger.accounts.size; account++) {
    const held = ledger.accounts.heldAtoms(account);
    assert(held === (needed.get(account) ?? 0n), 'held equals the needs of orders and withdrawals');
  }
}

function auditBook(exchange: Exchange, market: Market): void {
  const { books } = exchange;
  for (const tree of books.treesOf(market.id)) books.levels.audit(tree);
  const { bids, asks, stops } = bookOf(exchange, market.id);
  for (const level of [...bids, ...asks]) {
    assert(level.orders.length > 0, 'no level is empty');
    for (const order of level.orders)
      assert(order.remainingLots > 0, 'a resting order has a remaining size');
  }
  const crossed = bids.length > 0 && asks.length > 0 && bids[0].priceTicks >= asks[0].priceTicks;
  const matches = exchange.rulesVersion < 2 || (market.status === 'full' && market.frozenBy === 0);
  assert(!crossed || !matches, 'a book is not crossed between commands');
  const isAuction = market.status === 'auction';
  assert(isAuction || !market.isUncrossing, 'only an auction uncrosses');
  for (const { order } of [...bids, ...asks].flatMap((level) => level.orders).concat(stops)) {
    assert(books.orders.find(order) !== NONE, 'an order in a queue is found by its number');
  }
}

/** The parts of the shared capacities that each user's record counts. */
function auditShares({
  books,
  clientOrderIds,
  details,
  ledger,
  users,
  withdrawals,
}: Exchange): void {
  const owners = new Map<number, number>();
  for (let account = 1; account <= ledger.accounts.size; account++) {
    const owner = ledger.accounts.owner(account);
    owners.set(owner, (owners.get(owner) ?? 0) + 1);
  }
  const open = new Map<number, number>();
  for (const { user } of withdrawals.values()) open.set(user, (open.get(user) ?? 0) + 1);
  let remembered = 0;
  for (let user = 1; user <= users.size; user++) {
    const id = users.id(user);
    let stops = 0;
    for (let order = users.firstOrder(user); order !== NONE; order = details.userBehind(order)) {
      if (books.orders.stopTicks(order) > 0) stops++;
    }
    assert(users.stopsOpen(user) === stops, 'the count of open stops matches the list');
    assert(users.accountsOpen(user) === (owners.get(id) ?? 0), "a user's accounts are counted");
    assert(users.withdrawalsOpen(user) === (open.get(id) ?? 0), "a user's withdrawals are counted");
    remembered += clientOrderIds.rememberedOf(user);
  }
  assert(remembered === clientOrderIds.remembered, 'every remembered client order id has a user');
}

function auditUserLists(exchange: Exchange): void {
  const { books, details, users } = exchange;
  let listed = 0;
  for (let user = 1; user <= users.size; user++) {
    let count = 0;
    let number = 0;
    let order = users.firstOrder(user);
    for (; order !== NONE; order = details.userBehind(order)) {
      assert(books.orders.user(order) === user, 'a list holds only the orders of its user');
      assert(books.orders.number(order) > number, 'a list is in order of placement');
      number = books.orders.number(order);
      count++;
    }
    assert(count === users.ordersOpen(user), 'the count of open orders matches the list');
    listed += count;
  }
  assert(listed === books.orders.size, "every open order is in its user's list");
}
