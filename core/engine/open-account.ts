// Opens an account of a user, and counts it: accounts are a shared capacity.

import type { AssetId } from '../money/index.ts';
import type { Exchange } from './exchange.ts';

/** Returns the slot of the account. `user` is the slot of an existing user. */
export function openAccount({ ledger, users }: Exchange, user: number, asset: AssetId): number {
  users.setAccountsOpen(user, users.accountsOpen(user) + 1);
  return ledger.accounts.open(users.id(user), asset);
}
