// Entries of the signer's journal. The state of the signer is their fold, so an entry contains
// everything that later checks need, and never refers to a clock or to the current policy.

import type { Fee, Intent, Slot, SpentSlot } from '../../infra/signer-link/index.ts';

/** Effect of a transaction, without its fees. All versions of a payment repeat it. */
export interface EvmCall {
  readonly family: 'evm';
  readonly chainId: number;
  /** In lowercase. */
  readonly to: string;
  /** Decimal digits. */
  readonly value: string;
  /** Hexadecimal with 0x. */
  readonly data: string;
}

/** The first version of the custody file, or a later one. Ends a stop. */
export interface PolicyEntry {
  readonly kind: 'policy';
  readonly file: string;
}

/** A slot is taken. Nothing is signed before this entry is on the disk. */
export interface SlotEntry {
  readonly kind: 'slot';
  readonly payment: string;
  readonly intent: Intent;
  readonly slot: Slot;
  readonly call: EvmCall;
  /** Counts toward the windows: the amount left without approvers. */
  readonly windowAtoms?: string;
  /** Frames of the statements, by the witness's key in hexadecimal. */
  readonly frames?: Readonly<Record<string, number>>;
  /** Approvers who signed. */
  readonly approvers?: readonly string[];
  readonly instead?: SpentSlot;
}

export interface VersionEntry {
  readonly kind: 'version';
  readonly payment: string;
  readonly txid: string;
  readonly raw: string;
  readonly fee: Fee;
}

export interface RenouncedEntry {
  readonly kind: 'renounced';
  readonly withdrawal: number;
  readonly approvers?: readonly string[];
  readonly spent?: SpentSlot;
}

export interface StoppedEntry {
  readonly kind: 'stopped';
  readonly approver: string;
}

/** The folder was rebuilt from a copy of the journal. Stops until a new policy. */
export interface RebuiltEntry {
  readonly kind: 'rebuilt';
}

export type Entry =
  | PolicyEntry
  | SlotEntry
  | VersionEntry
  | RenouncedEntry
  | StoppedEntry
  | RebuiltEntry;

/** An entry with its place in the journal. */
export type Recorded<Kind extends Entry = Entry> = Kind & {
  readonly entry: number;
  /** SHA-256 of the line before, in hexadecimal. Empty in the first line. */
  readonly previous: string;
  /** Never below the time of the entry before, except in a `policy` entry. */
  readonly timeMs: number;
};
