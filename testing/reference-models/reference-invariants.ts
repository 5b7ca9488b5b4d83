// Invariants of the reference, which hold after every command.

import assert from 'node:assert/strict';
import { allAccounts } from './reference-ledger.ts';
import type { ReferenceLevel, ReferenceMarket, ReferenceState } from './reference-state.ts';

export function assertInvariants(state: ReferenceState): void {
  assertMoney(state);
  for (const market of state.markets) assertBook(state, market);
  const placed = state.markets.reduce((sum, market) => sum + ordersIn(market).length, 0);
  assert.equal(placed, state.orders.size, 'every open order is in exactly one place');
  assert.ok(state.orders.size <= state.limits.ordersMax);
  assert.ok(state.users.size <= state.limits.usersMax);
  assert.ok(state.ledger.userAccounts <= state.limits.accountsMax);
}

/** Each asset sums to zero; no user is below zero; held equals the total of all open holds. */
function assertMoney(state: ReferenceState): void {
  const promised = new Map<string, bigint>();
  const promise = (user: number, asset: number, atoms: bigint) => {
    const account = `${user}/${asset}`;
    promised.set(account, (promised.get(account) ?? 0n) + atoms);
  };
  for (const order of state.orders.values()) {
    const { base, quote } = state.markets[order.market - 1];
    promise(order.user, order.side === 'buy' ? quote : base, order.heldAtoms);
  }
  for (const { user, asset, amountAtoms, feeAsset, feeAtoms } of state.withdrawals.values()) {
    promise(user, asset, amountAtoms);
    promise(user, feeAsset, feeAtoms);
  }
  const sums = new Map<number, bigint>();
  for (const { owner, asset, availableAtoms, heldAtoms } of allAccounts(state.ledger)) {
    const account = `${owner}/${asset}`;
    sums.set(asset, (sums.get(asset) ?? 0n) + availableAtoms + heldAtoms);
    assert.equal(heldAtoms, promised.get(account) ?? 0n, `held of ${account}`);
    assert.ok(heldAtoms >= 0n, `held of ${account} is ${heldAtoms}`);
    if (owner > 0) assert.ok(availableAtoms >= 0n, `available of ${account} is ${availableAtoms}`);
  }
  for (const [asset, sum] of sums) assert.equal(sum, 0n, `sum of asset ${asset}`);
}

function assertBook(state: ReferenceState, market: ReferenceMarket): void {
  const { bids, asks } = market;
  for (const level of [...bids, ...asks]) {
    assert.ok(level.orders.length > 0, `market ${market.id} has an empty level`);
  }
  assertSorted(bids, (better, worse) => better > worse);
  assertSorted(asks, (better, worse) => better < worse);
  const isMatching = state.rulesVersion < 2 || (market.status === 'full' && market.frozenBy === 0);
  if (isMatching && bids.length > 0 && asks.length > 0) {
    assert.ok(bids[0].priceTicks < asks[0].priceTicks, `market ${market.id} is crossed`);
  }
  for (const order of ordersIn(market)) {
    assert.equal(state.orders.get(order.number), order);
    assert.ok(order.remainingLots > 0, `order ${order.number} rests with no remaining size`);
  }
}

function assertSorted(
  levels: readonly ReferenceLevel[],
  isBetter: (one: number, next: number) => boolean,
): void {
  for (let index = 1; index < levels.length; index += 1) {
    assert.ok(isBetter(levels[index - 1].priceTicks, levels[index].priceTicks));
  }
}

function ordersIn(market: ReferenceMarket) {
  const resting = [...market.bids, ...market.asks].flatMap((level) => level.orders);
  return [...resting, ...market.waitingStops, ...market.readyStops];
}
