// Approvals: the texts that approvers sign, rendered from what the signer builds, and the count of
// valid signatures. A wrong signature is a refusal, never a missing one.

import { type Atoms, decimalFromAtoms } from '../../core/money/index.ts';
import { type CustodyCoin, type CustodyFile, isSignedBy } from '../../infra/custody-file/index.ts';
import type {
  Approvals,
  ApprovalsNeededAnswer,
  Part,
  SpentSlot,
} from '../../infra/signer-link/index.ts';
import { refuseUnless } from './refusal.ts';

/** Validity of a text that no approver has signed yet. */
const VALID_MS = 24 * 3_600_000;

export interface Approvable {
  readonly needed: number;
  readonly approvals: Approvals;
  readonly notAfterMs: number | undefined;
  textOf(notAfterMs: number): string;
}

/** Returns the approvers, or the answer that asks for more signatures. */
export function checkApprovals(
  policy: CustodyFile,
  nowMs: number,
  { approvals, needed, notAfterMs, textOf }: Approvable,
): readonly string[] | ApprovalsNeededAnswer {
  const names = Object.keys(approvals);
  if (needed === 0) return [];
  if (notAfterMs === undefined) {
    refuseUnless(names.length === 0, 'request_must_be_valid', 'approvals need notAfterMs');
    const proposedMs = nowMs + VALID_MS;
    return askFor(needed, proposedMs, textOf(proposedMs));
  }
  refuseUnless(nowMs <= notAfterMs, 'approvals_must_not_be_expired');
  const text = textOf(notAfterMs);
  for (const name of names) {
    const key = policy.approvers.get(name);
    const isValid = key !== undefined && isSignedBy(key, text, approvals[name]);
    refuseUnless(isValid, 'approval_must_be_valid', name);
  }
  return names.length >= needed ? names : askFor(needed, notAfterMs, text);
}

function askFor(approvals: number, notAfterMs: number, text: string): ApprovalsNeededAnswer {
  return { kind: 'approvals_needed', approvals, text, notAfterMs };
}

export interface PaymentText {
  readonly policy: CustodyFile;
  readonly coin: CustodyCoin;
  readonly part: Part;
  readonly atoms: bigint;
  readonly instead: SpentSlot | undefined;
  readonly notAfterMs: number;
}

export function paymentText(given: PaymentText): string {
  const { atoms, coin, instead, notAfterMs, part, policy } = given;
  const amount = decimalFromAtoms(atoms as Atoms, coin.scale);
  return [
    `rialto withdrawal ${part.withdrawal}`,
    `exchange ${policy.exchange}, policy ${policy.version}`,
    `network ${coin.network}`,
    `to ${part.destination}`,
    `send ${amount} ${coin.symbol} (${part.units} units)`,
    ...(instead === undefined ? [] : [spentLine(instead)]),
    `not after ${new Date(notAfterMs).toISOString()}`,
    '',
  ].join('\n');
}

export interface RenounceApproval {
  readonly policy: CustodyFile;
  readonly withdrawal: number;
  readonly spent: SpentSlot;
  readonly notAfterMs: number;
}

export function renounceApprovalText(given: RenounceApproval): string {
  const { notAfterMs, policy, spent, withdrawal } = given;
  return [
    `rialto renounces withdrawal ${withdrawal}`,
    `exchange ${policy.exchange}, policy ${policy.version}`,
    spentLine(spent),
    `not after ${new Date(notAfterMs).toISOString()}`,
    '',
  ].join('\n');
}

function spentLine({ payment, txid }: SpentSlot): string {
  return `slot of payment ${payment} was spent by ${txid}`;
}
