// Admission: valid user IDs, and capacity for new users and accounts.

import type { Refusal } from '../../core/messages/index.ts';
import { isWholeWithin } from './exact-arithmetic.ts';
import { findAccount, openAccount } from './reference-ledger.ts';
import { openUser, type ReferenceState } from './reference-state.ts';

export interface Entrant {
  readonly user: number;
  readonly assets: readonly number[];
}

export function checkUser(user: number): Refusal | undefined {
  return isWholeWithin(user, 1, 2 ** 31 - 1) ? undefined : 'user_must_be_valid';
}

export function checkUserCapacity(
  state: ReferenceState,
  entrants: readonly Entrant[],
): Refusal | undefined {
  const missing = entrants.filter(({ user }) => !state.users.has(user)).length;
  const isOver = state.users.size + missing > state.limits.usersMax;
  return isOver ? 'exchange_user_capacity_reached' : undefined;
}

/** Checks users before accounts; every missing one counts. */
export function checkCapacity(
  state: ReferenceState,
  entrants: readonly Entrant[],
): Refusal | undefined {
  const refusal = checkUserCapacity(state, entrants);
  if (refusal !== undefined) return refusal;
  let accounts = state.ledger.userAccounts;
  for (const { user, assets } of entrants) {
    for (const asset of assets) {
      if (findAccount(state.ledger, user, asset) === undefined) accounts += 1;
    }
  }
  const isOver = accounts > state.limits.accountsMax;
  return isOver ? 'exchange_account_capacity_reached' : undefined;
}

/** Same checks, but a trading user must also stay within the per-user share of accounts. */
export function checkTraderCapacity(state: ReferenceState, entrant: Entrant): Refusal | undefined {
  const refusal = checkUserCapacity(state, [entrant]);
  if (refusal !== undefined) return refusal;
  const { user, assets } = entrant;
  const open = state.ledger.byOwner.get(user)?.size ?? 0;
  const missing = assets.filter((asset) => findAccount(state.ledger, user, asset) === undefined);
  if (missing.length > 0 && open + missing.length > state.limits.accountsPerUserMax) {
    return 'user_accounts_limit_reached';
  }
  return checkCapacity(state, [entrant]);
}

export function admit(state: ReferenceState, entrant: Entrant): void {
  openUser(state, entrant.user);
  for (const asset of entrant.assets) openAccount(state.ledger, entrant.user, asset);
}
