// Requests to the signer and its answers. Every answer but `refused` is the result of its request.

import type { Fee, Intent, Payment, Version } from './intents.ts';
import type { SignedStatement } from './statement.ts';

/** The last entry of a journal or of its copy. Entry 0 with an empty hash: no entries. */
export interface Head {
  readonly entry: number;
  readonly hash: string;
}

export interface JournalEntry extends Head {
  /** The stored line, without its line break. */
  readonly line: string;
}

/** Signatures in Base64url, by the approver's name. */
export type Approvals = Readonly<Record<string, string>>;

export interface StatusRequest {
  readonly kind: 'status';
  /** Head of the payer's copy of the journal. Without it, nothing will be signed. */
  readonly copy?: Head;
}

export interface SignRequest {
  readonly kind: 'sign';
  /** UUID. Later versions of a payment repeat it with the same intent. */
  readonly payment: string;
  readonly intent: Intent;
  readonly fee: Fee;
  /** One for each part of a `pay` intent, in the same order. */
  readonly statements: readonly SignedStatement[];
  /** Empty unless the policy needs them. */
  readonly approvals: Approvals;
  /** End of the approvals' validity, in the text that approvers sign. Required with approvals. */
  readonly notAfterMs?: number;
  /** A second slot for a withdrawal, after the first was spent without paying. Needs the quorum. */
  readonly instead?: SpentSlot;
}

/** A slot that a final transaction spent. Approvers sign its transaction ID. */
export interface SpentSlot {
  readonly payment: string;
  readonly txid: string;
}

/** Payments with any of these IDs or withdrawals. */
export interface KnownRequest {
  readonly kind: 'known';
  readonly payments: readonly string[];
  readonly withdrawals: readonly number[];
}

/** Journal entries after this one, as many as fit into an answer. */
export interface JournalRequest {
  readonly kind: 'journal';
  readonly after: number;
}

/** A promise never to sign this withdrawal again. */
export interface RenounceRequest {
  readonly kind: 'renounce';
  readonly withdrawal: number;
  /** Required, with approvals of the quorum, if the withdrawal was signed before. */
  readonly spent?: SpentSlot;
  readonly approvals: Approvals;
  readonly notAfterMs?: number;
}

/** The next version of the custody file. Also ends a stop. */
export interface PolicyRequest {
  readonly kind: 'policy';
  /** The signed file. */
  readonly file: string;
}

export interface StopRequest {
  readonly kind: 'stop';
  readonly approver: string;
  /** Over `stopText`. */
  readonly signature: string;
}

export type SignerRequest =
  | StatusRequest
  | SignRequest
  | KnownRequest
  | JournalRequest
  | RenounceRequest
  | PolicyRequest
  | StopRequest;

export interface StatusAnswer {
  readonly kind: 'status';
  readonly head: Head;
  readonly policy: {
    readonly version: number;
    readonly hash: string;
    readonly validUntil: string;
  };
  readonly isStopped: boolean;
  /** Signs `renounceText`. Ed25519 in the form of the custody file. */
  readonly publicKey: string;
  /** Address of the hot wallet in each network. */
  readonly hot: Readonly<Record<string, string>>;
  /** Fees of today in each network, at most what was signed for. */
  readonly feesOfToday: Readonly<Record<string, string>>;
}

export interface SignedAnswer {
  readonly kind: 'signed';
  readonly payment: Payment;
  /** The version that this request asked for. */
  readonly version: Version;
}

/** A withdrawal of the request is in this payment. The payer must use that payment instead. */
export interface AdoptAnswer {
  readonly kind: 'adopt';
  readonly payment: Payment;
}

export interface ApprovalsNeededAnswer {
  readonly kind: 'approvals_needed';
  readonly approvals: number;
  /** The text that approvers sign. */
  readonly text: string;
  /** Part of the text: to be repeated with the approvals. */
  readonly notAfterMs: number;
}

export interface KnownAnswer {
  readonly kind: 'known';
  readonly payments: readonly Payment[];
  readonly renounced: readonly number[];
}

export interface JournalAnswer {
  readonly kind: 'journal';
  readonly entries: readonly JournalEntry[];
  readonly head: Head;
}

export interface RenouncedAnswer {
  readonly kind: 'renounced';
  readonly withdrawal: number;
  readonly text: string;
  readonly signature: string;
}

export interface PolicyAnswer {
  readonly kind: 'policy';
  readonly version: number;
}

export interface StoppedAnswer {
  readonly kind: 'stopped';
}

export interface RefusedAnswer {
  readonly kind: 'refused';
  readonly refusal: SignerRefusal;
  /** The received value, for a person. */
  readonly detail?: string;
}

export interface AnswerOf {
  readonly status: StatusAnswer;
  readonly sign: SignedAnswer | AdoptAnswer | ApprovalsNeededAnswer;
  readonly known: KnownAnswer;
  readonly journal: JournalAnswer;
  readonly renounce: RenouncedAnswer | ApprovalsNeededAnswer;
  readonly policy: PolicyAnswer;
  readonly stop: StoppedAnswer;
}

export type SignerAnswer = AnswerOf[keyof AnswerOf] | RefusedAnswer;

/** In the order of the checks. */
export const SIGNER_REFUSALS = [
  'request_must_be_valid',
  'journal_copy_must_be_checked',
  'journal_must_not_be_behind_its_copy',
  'signer_must_not_be_stopped',
  'policy_must_be_valid',
  'network_must_be_in_policy',
  'coin_must_be_in_policy',
  'intent_must_be_supported',
  'amount_must_be_positive',
  'statement_must_be_given',
  'statement_must_be_signed_by_witness',
  'statement_must_match_withdrawal',
  'statement_must_be_recent',
  'statement_frame_must_not_go_back',
  'destination_must_match_statement',
  'destination_must_be_valid',
  'destination_must_not_be_own_address',
  'withdrawal_must_not_be_renounced',
  'withdrawal_must_not_be_signed',
  'payment_must_be_known',
  'payment_must_not_change',
  'slot_must_be_spent',
  'cold_address_must_be_in_policy',
  'fee_must_be_within_policy',
  'fee_must_be_raised',
  'fees_of_day_must_be_within_policy',
  'approval_must_be_valid',
  'approvals_must_not_be_expired',
  'policy_must_be_next_version',
  'policy_must_be_signed_by_quorum',
  'policy_must_match_seed',
] as const;

export type SignerRefusal = (typeof SIGNER_REFUSALS)[number];
