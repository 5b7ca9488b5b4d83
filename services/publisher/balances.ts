// Balances of all users, from event postings alone. Users receive absolute balances, not changes,
// so the next message corrects a missed one.

import type { SavedRow } from '../../core/market-data/index.ts';
import { type Event, type PostingSide, postingsOf } from '../../core/messages/index.ts';
import type { AssetId, UserId } from '../../core/money/index.ts';

export interface Balance {
  availableAtoms: bigint;
  heldAtoms: bigint;
}

// Above any asset number, which is at most 4,096.
const ASSETS_APART = 8_192;

export class Balances {
  readonly #accounts = new Map<number, Balance>();

  /** Calls back for each user account that the event changes, once per posting. */
  apply(event: Event, moved: (user: UserId, asset: AssetId) => void): void {
    for (const { amountAtoms, asset, from, to } of postingsOf(event)) {
      if (from.owner > 0) this.#move(from, asset, -amountAtoms, moved);
      if (to.owner > 0) this.#move(to, asset, amountAtoms, moved);
    }
  }

  of(user: UserId, asset: AssetId): Readonly<Balance> {
    return this.#account(user, asset);
  }

  *save(): Generator<SavedRow, void> {
    for (const [key, { availableAtoms, heldAtoms }] of this.#accounts) {
      yield ['account', key, `${availableAtoms}`, `${heldAtoms}`];
    }
  }

  /** Returns false for a row of another kind. */
  take([kind, key, availableAtoms, heldAtoms]: SavedRow): boolean {
    if (kind !== 'account') return false;
    const account = { availableAtoms: BigInt(availableAtoms), heldAtoms: BigInt(heldAtoms) };
    this.#accounts.set(Number(key), account);
    return true;
  }

  #move(
    { owner, part }: PostingSide,
    asset: AssetId,
    changeAtoms: bigint,
    moved: (user: UserId, asset: AssetId) => void,
  ): void {
    const account = this.#account(owner as UserId, asset);
    if (part === 'available') account.availableAtoms += changeAtoms;
    else account.heldAtoms += changeAtoms;
    moved(owner as UserId, asset);
  }

  #account(user: UserId, asset: AssetId): Balance {
    const key = user * ASSETS_APART + asset;
    let account = this.#accounts.get(key);
    if (account === undefined) {
      account = { availableAtoms: 0n, heldAtoms: 0n };
      this.#accounts.set(key, account);
    }
    return account;
  }
}
