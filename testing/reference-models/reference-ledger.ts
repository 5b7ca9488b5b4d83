// The reference's accounts: one plain object each, found by owner and asset. Every balance change
// in the reference uses these few functions, and each credits exactly what it debits.

import assert from 'node:assert/strict';
import { EXTERNAL_OWNER, FEES_OWNER } from '../../core/messages/index.ts';

export interface ReferenceAccount {
  readonly owner: number;
  readonly asset: number;
  availableAtoms: bigint;
  heldAtoms: bigint;
}

export interface ReferenceLedger {
  readonly byOwner: Map<number, Map<number, ReferenceAccount>>;
  /** User accounts, without the system's accounts. */
  userAccounts: number;
}

export function createLedger(): ReferenceLedger {
  return { byOwner: new Map(), userAccounts: 0 };
}

export function findAccount(
  ledger: ReferenceLedger,
  owner: number,
  asset: number,
): ReferenceAccount | undefined {
  return ledger.byOwner.get(owner)?.get(asset);
}

export function openAccount(ledger: ReferenceLedger, owner: number, asset: number): void {
  if (findAccount(ledger, owner, asset) !== undefined) return;
  let accounts = ledger.byOwner.get(owner);
  if (accounts === undefined) {
    accounts = new Map();
    ledger.byOwner.set(owner, accounts);
  }
  accounts.set(asset, { owner, asset, availableAtoms: 0n, heldAtoms: 0n });
  if (owner > 0) ledger.userAccounts += 1;
}

export function openSystemAccounts(ledger: ReferenceLedger, asset: number): void {
  openAccount(ledger, EXTERNAL_OWNER, asset);
  openAccount(ledger, FEES_OWNER, asset);
}

export function availableOf(ledger: ReferenceLedger, owner: number, asset: number): bigint {
  return findAccount(ledger, owner, asset)?.availableAtoms ?? 0n;
}

/** Returns the amount of an asset that the exchange owes: the negated external balance. */
export function issuedOf(ledger: ReferenceLedger, asset: number): bigint {
  return -availableOf(ledger, EXTERNAL_OWNER, asset);
}

export interface Payment {
  readonly asset: number;
  readonly atoms: bigint;
  readonly from: number;
  readonly to: number;
}

export function payFromAvailable(ledger: ReferenceLedger, payment: Payment): void {
  existing(ledger, payment.from, payment.asset).availableAtoms -= payment.atoms;
  existing(ledger, payment.to, payment.asset).availableAtoms += payment.atoms;
}

export function payFromHeld(ledger: ReferenceLedger, payment: Payment): void {
  existing(ledger, payment.from, payment.asset).heldAtoms -= payment.atoms;
  existing(ledger, payment.to, payment.asset).availableAtoms += payment.atoms;
}

/** Holds atoms; a negative amount releases them. */
export function hold(ledger: ReferenceLedger, owner: number, asset: number, atoms: bigint): void {
  const account = existing(ledger, owner, asset);
  account.availableAtoms -= atoms;
  account.heldAtoms += atoms;
}

export function release(
  ledger: ReferenceLedger,
  owner: number,
  asset: number,
  atoms: bigint,
): void {
  hold(ledger, owner, asset, -atoms);
}

export function allAccounts(ledger: ReferenceLedger): ReferenceAccount[] {
  const accounts = [...ledger.byOwner.values()].flatMap((ofOwner) => [...ofOwner.values()]);
  return accounts
    .sort((a, b) => a.owner - b.owner || a.asset - b.asset)
    .map((account) => ({ ...account }));
}

function existing(ledger: ReferenceLedger, owner: number, asset: number): ReferenceAccount {
  const account = findAccount(ledger, owner, asset);
  assert.ok(account !== undefined, `account of ${owner} in asset ${asset} must exist`);
  return account;
}
