// Liabilities of an exchange, from the engine's accounts: customers as columns for the tree, house
// and fees as lists. Must account for every atom that the ledger issued.

import { createHash } from 'node:crypto';
import { type Exchange, snapshotChunks } from '../../core/engine/index.ts';
import { FEES_OWNER } from '../../core/messages/index.ts';
import type { AccountColumns, HouseAmount } from '../../features/proofs/index.ts';

export interface AssetLiabilities {
  readonly asset: string;
  readonly decimals: number;
  /** Accounts with an amount, by ascending user. */
  readonly customers: AccountColumns;
  readonly house: readonly HouseAmount[];
  readonly feesAtoms: bigint;
  readonly issuedAtoms: bigint;
}

const INDEX_BITS = 32n;

/** Yields one asset at a time, because the columns of all assets might not fit in memory. */
export function* liabilitiesOf(exchange: Exchange): Generator<AssetLiabilities> {
  const { accounts } = exchange.ledger;
  const houseUsers = houseUsersOf(exchange);
  for (const { id, scale, symbol } of exchange.assets) {
    const atomsOf = (slot: number) => accounts.availableAtoms(slot) + accounts.heldAtoms(slot);
    const isCustomer = (slot: number) =>
      accounts.asset(slot) === id &&
      accounts.owner(slot) > 0 &&
      !houseUsers.has(accounts.owner(slot));
    let count = 0;
    let feesAtoms = 0n;
    const house: HouseAmount[] = [];
    for (let slot = 1; slot <= accounts.size; slot++) {
      if (accounts.asset(slot) !== id || atomsOf(slot) === 0n) continue;
      const owner = accounts.owner(slot);
      if (isCustomer(slot)) count++;
      else if (owner === FEES_OWNER) feesAtoms = atomsOf(slot);
      else if (owner > 0) house.push({ user_id: owner, atoms: `${atomsOf(slot)}` });
    }
    // User and slot in one number, because a sort of two columns would need objects.
    const keys = new BigUint64Array(count);
    let at = 0;
    for (let slot = 1; slot <= accounts.size; slot++) {
      if (!isCustomer(slot) || atomsOf(slot) === 0n) continue;
      keys[at++] = (BigInt(accounts.owner(slot)) << INDEX_BITS) | BigInt(slot);
    }
    keys.sort();
    const users = new Uint32Array(count);
    const atoms = new BigUint64Array(count);
    for (const [index, key] of keys.entries()) {
      users[index] = Number(key >> INDEX_BITS);
      atoms[index] = atomsOf(Number(BigInt.asUintN(32, key)));
    }
    house.sort((one, other) => one.user_id - other.user_id);
    const issuedAtoms = exchange.ledger.issuedAtoms(id);
    yield {
      asset: symbol,
      decimals: scale,
      customers: { users, atoms },
      house,
      feesAtoms,
      issuedAtoms,
    };
  }
}

function houseUsersOf({ users }: Exchange): ReadonlySet<number> {
  const found = new Set<number>();
  for (let slot = 1; slot <= users.size; slot++) {
    if (users.isHouse(slot)) found.add(users.id(slot));
  }
  return found;
}

/** SHA-256 of the snapshot's bytes. The state hash is not collision-resistant. */
export function snapshotDigest(exchange: Exchange): string {
  const hash = createHash('sha256');
  for (const chunk of snapshotChunks(exchange)) hash.update(chunk);
  return hash.digest('hex');
}
