// Decides what happens to a final deposit: credited, added up, reviewed, held or unattributed.
// Pure.

import { ATOMS_MAX } from '../../../core/money/index.ts';
import type { CustodyCoin } from '../../../infra/custody-file/index.ts';

export interface Converted {
  readonly atoms: bigint;
  /** The rest, smaller than one atom. */
  readonly dustUnits: bigint;
}

/** Converts units of the chain to atoms of the ledger, rounded down. */
export function atomsOfUnits(
  units: bigint,
  { digits, scale }: Pick<CustodyCoin, 'digits' | 'scale'>,
): Converted {
  if (digits <= scale) return { atoms: units * 10n ** BigInt(scale - digits), dustUnits: 0n };
  const unitsPerAtom = 10n ** BigInt(digits - scale);
  return { atoms: units / unitsPerAtom, dustUnits: units % unitsPerAtom };
}

export interface DepositFacts {
  readonly credit: CustodyCoin['credit'];
  readonly atoms: bigint;
  /** Whether a user exists who owns the address and is not erased. */
  readonly hasOwner: boolean;
  /** Earlier small deposits of this user and coin. */
  readonly smallAtoms: bigint;
  /** Credited for this coin without review in the last hour. */
  readonly hourAtoms: bigint;
  /** Operators stopped deposits of this coin. */
  readonly isStopped: boolean;
}

export type DepositDecision =
  | { readonly state: 'credited' | 'in_review'; readonly atoms: bigint; readonly reason?: string }
  | { readonly state: 'small' | 'held' }
  | { readonly state: 'unattributed'; readonly reason: string };

export function decideDeposit(facts: DepositFacts): DepositDecision {
  const { credit, hasOwner, hourAtoms, isStopped, smallAtoms } = facts;
  if (!hasOwner) return { state: 'unattributed', reason: 'no user owns the address' };
  const atoms = facts.atoms + smallAtoms;
  if (atoms > ATOMS_MAX) return { state: 'unattributed', reason: 'larger than any balance' };
  if (isStopped) return { state: 'held' };
  if (atoms < credit.minAtoms) return { state: 'small' };
  if (atoms >= credit.reviewAtoms) return { state: 'in_review', atoms, reason: 'large' };
  if (hourAtoms + atoms > credit.hourAtoms) {
    return { state: 'in_review', atoms, reason: 'above the credits of an hour' };
  }
  return { state: 'credited', atoms };
}
