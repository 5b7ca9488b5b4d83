// The ledger moves money between accounts and never creates any. Every move debits one account by
// exactly the amount it credits to another, or shifts between available and held of one account,
// so the accounts of an asset always sum to zero. Has no notion of orders, markets or commands.

import { EXTERNAL_OWNER, FEES_OWNER } from '../messages/index.ts';
import type { AssetId, Atoms } from '../money/index.ts';
import { assert, NONE } from '../structures/index.ts';
import { Accounts } from './accounts.ts';

const SYSTEM_ACCOUNTS_PER_ASSET = 2;

export interface LedgerCapacity {
  readonly accountsMax: number;
  readonly assetsMax: number;
}

/** User accounts and system accounts. */
function accountsIn({ accountsMax, assetsMax }: LedgerCapacity): number {
  return accountsMax + assetsMax * SYSTEM_ACCOUNTS_PER_ASSET;
}

export class Ledger {
  readonly accounts: Accounts;
  #capacity: LedgerCapacity;
  #external: Int32Array;
  #fees: Int32Array;
  #issuanceCaps: BigInt64Array;
  #assets = 0;

  constructor(capacity: LedgerCapacity) {
    const { assetsMax } = capacity;
    this.#capacity = capacity;
    this.accounts = new Accounts(accountsIn(capacity));
    this.#external = new Int32Array(assetsMax + 1);
    this.#fees = new Int32Array(assetsMax + 1);
    this.#issuanceCaps = new BigInt64Array(assetsMax + 1);
  }

  /** Raises capacities; accounts and assets keep their slots. */
  grow(capacity: LedgerCapacity): void {
    const { assetsMax } = capacity;
    const [external, fees, issuanceCaps] = [this.#external, this.#fees, this.#issuanceCaps];
    this.#capacity = capacity;
    this.accounts.grow(accountsIn(capacity));
    this.#external = new Int32Array(assetsMax + 1);
    this.#fees = new Int32Array(assetsMax + 1);
    this.#issuanceCaps = new BigInt64Array(assetsMax + 1);
    this.#external.set(external);
    this.#fees.set(fees);
    this.#issuanceCaps.set(issuanceCaps);
  }

  /** Opens the system accounts of a new asset. Asset ids are consecutive, from 1. */
  openAsset(asset: AssetId, issuanceCapAtoms: Atoms): void {
    assert(asset === this.#assets + 1, 'assets are opened in order');
    this.#assets = asset;
    this.#external[asset] = this.accounts.open(EXTERNAL_OWNER, asset);
    this.#fees[asset] = this.accounts.open(FEES_OWNER, asset);
    this.#issuanceCaps[asset] = issuanceCapAtoms;
  }

  /** For restoring: registers the asset. `reopenAccount` restores its accounts in order. */
  reopenAsset(asset: AssetId, issuanceCapAtoms: Atoms): void {
    this.#assets = asset;
    this.#issuanceCaps[asset] = issuanceCapAtoms;
  }

  reopenAccount(owner: number, asset: AssetId, available: Atoms, held: Atoms): void {
    const slot = this.accounts.open(owner, asset);
    if (owner === EXTERNAL_OWNER) this.#external[asset] = slot;
    if (owner === FEES_OWNER) this.#fees[asset] = slot;
    this.accounts.setAvailableAtoms(slot, available);
    this.accounts.setHeldAtoms(slot, held);
  }

  issuanceCapAtoms(asset: AssetId): Atoms {
    return this.#issuanceCaps[asset] as Atoms;
  }

  setIssuanceCapAtoms(asset: AssetId, issuanceCapAtoms: Atoms): void {
    assert(issuanceCapAtoms >= this.issuedAtoms(asset), 'a cap is not below the issued amount');
    this.#issuanceCaps[asset] = issuanceCapAtoms;
  }

  /** The total of an asset that all owners hold: what the exchange owes. */
  issuedAtoms(asset: AssetId): Atoms {
    return -this.accounts.availableAtoms(this.#external[asset]) as Atoms;
  }

  fees(asset: AssetId): number {
    return this.#fees[asset];
  }

  /** The number of user accounts that can still be opened. */
  get room(): number {
    const users = this.accounts.size - this.#assets * SYSTEM_ACCOUNTS_PER_ASSET;
    return this.#capacity.accountsMax - users;
  }

  /** Moves from available to held of one account. */
  hold(account: number, atoms: Atoms): void {
    assert(atoms >= 0n, 'a hold is not negative');
    const { accounts } = this;
    const available = BigInt.asIntN(64, accounts.availableAtoms(account) - atoms);
    assert(available >= 0n, 'available covers every hold');
    accounts.setAvailableAtoms(account, available);
    accounts.setHeldAtoms(account, BigInt.asIntN(64, accounts.heldAtoms(account) + atoms));
  }

  /** Moves from held to available of one account. */
  release(account: number, atoms: Atoms): void {
    assert(atoms >= 0n, 'a release is not negative');
    const { accounts } = this;
    const held = BigInt.asIntN(64, accounts.heldAtoms(account) - atoms);
    assert(held >= 0n, 'a release is covered by held');
    accounts.setHeldAtoms(account, held);
    const available = BigInt.asIntN(64, accounts.availableAtoms(account) + atoms);
    accounts.setAvailableAtoms(account, available);
  }

  /** Moves from one account's held to another's available. */
  payHeld(from: number, to: number, atoms: Atoms): void {
    assert(atoms >= 0n, 'a payment is not negative');
    const { accounts } = this;
    assert(accounts.asset(from) === accounts.asset(to), 'a payment stays within one asset');
    const held = BigInt.asIntN(64, accounts.heldAtoms(from) - atoms);
    assert(held >= 0n, 'a payment from held is covered by held');
    accounts.setHeldAtoms(from, held);
    accounts.setAvailableAtoms(to, BigInt.asIntN(64, accounts.availableAtoms(to) + atoms));
  }

  /** Moves from one account's available to another's. */
  pay(from: number, to: number, atoms: Atoms): void {
    assert(atoms >= 0n, 'a payment is not negative');
    const { accounts } = this;
    assert(accounts.asset(from) === accounts.asset(to), 'a payment stays within one asset');
    const available = BigInt.asIntN(64, accounts.availableAtoms(from) - atoms);
    assert(available >= 0n, 'available covers every payment');
    accounts.setAvailableAtoms(from, available);
    accounts.setAvailableAtoms(to, BigInt.asIntN(64, accounts.availableAtoms(to) + atoms));
  }

  /** Credits money from outside, up to the asset's issuance cap. */
  issue(to: number, atoms: Atoms): void {
    assert(atoms >= 0n, 'an issue is not negative');
    const { accounts } = this;
    const asset = accounts.asset(to);
    assert(atoms <= this.issuableAtoms(asset), 'an issue is within the issuance cap');
    const external = this.#external[asset];
    accounts.setAvailableAtoms(external, accounts.availableAtoms(external) - atoms);
    accounts.setAvailableAtoms(to, accounts.availableAtoms(to) + atoms);
  }

  issuableAtoms(asset: AssetId): Atoms {
    return (this.issuanceCapAtoms(asset) - this.issuedAtoms(asset)) as Atoms;
  }

  /** Pays money out of the exchange, from available. */
  redeem(from: number, atoms: Atoms): void {
    this.pay(from, this.#external[this.accounts.asset(from)], atoms);
  }

  /** Pays money out of the exchange, from held. */
  redeemHeld(from: number, atoms: Atoms): void {
    this.payHeld(from, this.#external[this.accounts.asset(from)], atoms);
  }

  /** Checks that every asset sums to zero and only external is negative. Throws on a violation. */
  audit(): void {
    const { accounts } = this;
    const sums = new Array<bigint>(this.#assets + 1).fill(0n);
    for (let slot = NONE + 1; slot <= accounts.size; slot++) {
      const available = accounts.availableAtoms(slot);
      const held = accounts.heldAtoms(slot);
      const external = accounts.owner(slot) === EXTERNAL_OWNER;
      assert(held >= 0n && (available >= 0n || external), 'no account is below zero');
      assert(!external || available <= 0n, 'external is never positive');
      sums[accounts.asset(slot)] += available + held;
    }
    for (const sum of sums) assert(sum === 0n, 'every asset sums to zero');
    for (let asset = 1; asset <= this.#assets; asset++) {
      const within = this.issuableAtoms(asset as AssetId) >= 0n;
      assert(within, 'no asset is issued beyond its cap');
    }
  }
}
