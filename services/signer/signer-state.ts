// State of the signer: the fold of its journal. Knows every slot, payment and withdrawal that it
// ever signed, and what left in the last 24 hours. Decides nothing.

import { type CustodyFile, parseCustodyFile } from '../../infra/custody-file/index.ts';
import type { EvmFee, Payment, Slot, Version } from '../../infra/signer-link/index.ts';
import type { EvmCall, Recorded, SlotEntry, VersionEntry } from './entries.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A payment with what its transactions do. */
export interface KnownPayment {
  readonly payment: Payment;
  readonly call: EvmCall;
  readonly spent: SlotState;
}

/** All versions of all payments that spend one slot; the chain accepts only one of them. */
export interface SlotState {
  readonly payments: string[];
  readonly versions: Version[];
  /** Most fees of one version, in the smallest unit of the native coin. */
  feeUnits: bigint;
}

interface Amount {
  readonly timeMs: number;
  readonly amount: bigint;
}

export class SignerState {
  readonly payments = new Map<string, KnownPayment>();
  /** Last payment of each withdrawal. */
  readonly paymentOf = new Map<number, string>();
  readonly renounced = new Set<number>();
  /** Last frame of each witness, by its key in hexadecimal. */
  readonly frames = new Map<string, number>();
  isStopped = false;
  /** The largest time of an entry: a clock that is set back never reopens a window. */
  timeMs = 0;
  readonly #slots = new Map<string, SlotState>();
  readonly #nextNonces = new Map<string, number>();
  readonly #windows = new Map<string, Amount[]>();
  readonly #fees = new Map<string, Amount[]>();
  #policy: CustodyFile | undefined;

  /** The first entry of a journal is a policy. */
  get policy(): CustodyFile {
    if (this.#policy === undefined) throw new Error('the journal has no policy');
    return this.#policy;
  }

  apply(entry: Recorded): void {
    this.timeMs = Math.max(this.timeMs, entry.timeMs);
    switch (entry.kind) {
      case 'policy':
        this.#policy = parseCustodyFile(entry.file);
        this.isStopped = false;
        this.#setTime(entry.timeMs);
        return;
      case 'slot':
        this.#takeSlot(entry);
        return;
      case 'version':
        this.#addVersion(entry);
        return;
      case 'renounced':
        this.renounced.add(entry.withdrawal);
        return;
      case 'stopped':
      case 'rebuilt':
        this.isStopped = true;
        return;
    }
  }

  /** Returns the lowest nonce that no payment has. */
  nextNonce(chainId: number, from: string): number {
    return this.#nextNonces.get(`${chainId} ${from}`) ?? 0;
  }

  /** Returns atoms that left without approvers since a time. */
  leftSince(network: string, asset: number, sinceMs: number): bigint {
    return sumSince(this.#windows.get(`${network} ${asset}`), sinceMs);
  }

  feesSince(network: string, sinceMs: number): bigint {
    return sumSince(this.#fees.get(network), sinceMs);
  }

  #takeSlot(entry: Recorded<SlotEntry>): void {
    const { call, frames = {}, intent, payment: id, slot, windowAtoms } = entry;
    const key = slotKey(call.chainId, slot);
    const spent = this.#slots.get(key) ?? { payments: [], versions: [], feeUnits: 0n };
    this.#slots.set(key, spent);
    spent.payments.push(id);
    this.payments.set(id, { payment: { id, intent, slot, versions: [] }, call, spent });
    const nonceKey = `${call.chainId} ${slot.from}`;
    this.#nextNonces.set(
      nonceKey,
      Math.max(this.nextNonce(call.chainId, slot.from), slot.nonce + 1),
    );
    for (const [witness, frame] of Object.entries(frames)) this.frames.set(witness, frame);
    if (intent.kind !== 'pay') return;
    for (const { withdrawal } of intent.parts) this.paymentOf.set(withdrawal, id);
    if (windowAtoms === undefined) return;
    const amount = { timeMs: entry.timeMs, amount: BigInt(windowAtoms) };
    push(this.#windows, `${intent.network} ${intent.asset}`, amount);
  }

  #addVersion({ entry, fee, payment: id, raw, timeMs, txid }: Recorded<VersionEntry>): void {
    const known = this.payments.get(id);
    if (known === undefined) throw new Error(`entry ${entry}: no slot of payment ${id}`);
    const version = { entry, txid, raw, fee };
    (known.payment.versions as Version[]).push(version);
    known.spent.versions.push(version);
    const units = feeUnitsOf(fee);
    const more = units - known.spent.feeUnits;
    if (more <= 0n) return;
    known.spent.feeUnits = units;
    push(this.#fees, known.payment.intent.network, { timeMs, amount: more });
  }

  /**
   * A new policy corrects a clock that was wrong: later times become its time, so windows do not
   * stay closed for years. Amounts stay in their windows.
   */
  #setTime(timeMs: number): void {
    this.timeMs = timeMs;
    for (const amounts of [...this.#windows.values(), ...this.#fees.values()]) {
      const clamped = amounts.map((one) => ({ ...one, timeMs: Math.min(one.timeMs, timeMs) }));
      amounts.splice(0, amounts.length, ...clamped);
    }
  }
}

/** The most that a transaction can cost. */
export function feeUnitsOf(fee: EvmFee): bigint {
  return BigInt(fee.gas) * BigInt(fee.maxFeePerGas);
}

function slotKey(chainId: number, { from, nonce }: Slot): string {
  return `${chainId} ${from} ${nonce}`;
}

/** Forgets amounts that are older than a day. */
function push(lists: Map<string, Amount[]>, key: string, amount: Amount): void {
  const kept = (lists.get(key) ?? []).filter((one) => one.timeMs > amount.timeMs - DAY_MS);
  lists.set(key, [...kept, amount]);
}

function sumSince(amounts: readonly Amount[] | undefined, sinceMs: number): bigint {
  return (amounts ?? [])
    .filter(({ timeMs }) => timeMs > sinceMs)
    .reduce((sum, { amount }) => sum + amount, 0n);
}
