// Withdrawal requests: the policy, the request and its command are one transaction. After that a
// request moves as listed in states.ts. Never decides whether the balance is sufficient: the engine
// does.

import { randomUUID } from 'node:crypto';
import type { AssetId, Atoms, KeyId, UserId } from '../../../core/money/index.ts';
import type { Connection } from '../../../infra/postgres/index.ts';
import { destinationHash } from '../../../infra/signer-link/index.ts';
import {
  OUTBOX_CHANNELS,
  type OutboxCommand,
  type OutboxPosition,
} from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { isReadOnly } from '../../kill-switches/index.ts';
import { lockFamily } from '../family.ts';
import { policyRefusal } from '../policy/policy-refusal.ts';
import {
  FIAT_NETWORK,
  type PolicyDecision,
  type PolicyInput,
  reviewsOf,
  withdrawalPolicy,
} from '../policy/withdrawal-policy.ts';
import { type PolicyRequest, readPolicyInput } from '../policy/withdrawal-policy-input.ts';
import { appendFor, beginning } from '../request-moves.ts';
import { WITHDRAWALS, type WithdrawalState } from './states.ts';

/** An asset as listed in the log. */
export interface RequestedAsset {
  readonly id: AssetId;
  readonly currency: string;
  readonly scale: number;
}

export interface WithdrawalRequest extends Omit<PolicyRequest, 'proof' | 'stored'> {
  readonly asset: RequestedAsset;
  readonly feeAsset: RequestedAsset;
  readonly description?: string;
  /** Hash of the signed HTTP request; a second request with the same hash is rejected. */
  readonly signatureHash?: Uint8Array | undefined;
  /** Decided by an operator, so the policy does not apply. */
  readonly isByOperator?: boolean;
  /** Operator's choice; if absent, the default applies. */
  readonly withMail?: boolean | undefined;
  /** Checks the second factor in the transaction, under the family lock. */
  isConfirmed?(connection: Connection): Promise<boolean>;
}

export interface OpenedWithdrawal {
  readonly kind: 'requested';
  readonly id: number;
  readonly transactionId: string;
  readonly position: OutboxPosition;
}

/** Runs in the caller's transaction. */
export async function openWithdrawalIn(connection: Connection, request: WithdrawalRequest) {
  const { isByOperator = false, isConfirmed, user } = request;
  const decided = isByOperator
    ? await lockFamily(connection, user)
    : await decide(connection, request);
  if (decided === undefined) return new Refused('user_not_found');
  // Checked under the lock and before the rules, so a repeat does not look like a second request.
  if (await isSignatureUsed(connection, request)) return new Refused('signature_replayed');
  const refusal = 'verdict' in decided ? policyRefusal(decided) : undefined;
  if (refusal !== undefined) return refusal;
  if (isConfirmed !== undefined && !(await isConfirmed(connection))) {
    return new Refused('withdrawal_not_confirmed');
  }
  if (!isByOperator && (await isReadOnly(connection))) return new Refused('exchange_read_only');
  const arrow = beginning(WITHDRAWALS, 'request', isByOperator ? 'operator' : 'user');
  const transactionId = randomUUID();
  const id = await insertWithdrawalRequest(connection, {
    ...request,
    kind: 'withdrawal',
    state: arrow.to,
    transactionId,
    ...('verdict' in decided && { decided }),
  });
  if (id === undefined) return new Refused('signature_replayed');
  const position = await appendFor(connection, {
    arrows: [arrow],
    withdrawalRequest: id,
    channel: OUTBOX_CHANNELS.withdrawals,
    command: openCommand(id, request),
  });
  const opened: OpenedWithdrawal = { kind: 'requested', id, transactionId, position };
  return opened;
}

async function decide(
  connection: Connection,
  request: WithdrawalRequest,
): Promise<Decided | undefined> {
  const { isConfirmed, key } = request;
  const proof = isConfirmed !== undefined ? 'second_factor' : key !== 0 ? 'key' : 'none';
  const input = await readPolicyInput(connection, { ...request, proof });
  return input && { input, ...withdrawalPolicy(input) };
}

/** Command that holds a request's amount and fee. */
export function openCommand(
  withdrawal: number,
  { address, amountAtoms, asset, feeAsset, feeAtoms, network, user }: HeldTerms,
): Extract<OutboxCommand, { kind: 'OpenWithdrawal' }> {
  return {
    kind: 'OpenWithdrawal',
    withdrawal,
    user,
    asset: asset.id,
    amountAtoms,
    feeAsset: feeAsset.id,
    feeAtoms,
    destination: destinationHash(withdrawal, network ?? '', address ?? ''),
  };
}

interface HeldTerms {
  readonly user: UserId;
  readonly asset: Pick<RequestedAsset, 'id'>;
  readonly amountAtoms: Atoms;
  readonly feeAsset: Pick<RequestedAsset, 'id'>;
  readonly feeAtoms: Atoms;
  readonly address?: string | undefined;
  readonly network?: string | null | undefined;
}

export interface BurnRequest {
  readonly user: UserId;
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  /** Display only: just the amount is taken. */
  readonly feeAtoms?: Atoms | undefined;
  readonly address?: string | undefined;
  readonly network?: string | null | undefined;
  readonly transactionId?: string | undefined;
  readonly description?: string | undefined;
  readonly signatureHash?: Uint8Array | undefined;
  readonly withMail?: boolean | undefined;
  /** Only hold the amount: the request is completed or canceled later. */
  readonly isPending?: boolean;
}

/** Removes an amount from a user and the exchange, on behalf of an operator. */
export async function addBurnRequest(
  connection: Connection,
  request: BurnRequest,
): Promise<OpenedWithdrawal | Refused<'user_not_found' | 'signature_replayed'>> {
  const { amountAtoms, asset, isPending = false, user } = request;
  const { transactionId = randomUUID() } = request;
  if ((await lockFamily(connection, user)) === undefined) return new Refused('user_not_found');
  const arrow = beginning(WITHDRAWALS, isPending ? 'request' : 'execute', 'operator');
  const id = await insertWithdrawalRequest(connection, {
    user,
    asset,
    amountAtoms,
    transactionId,
    kind: 'burn',
    state: arrow.to,
    feeAsset: asset,
    feeAtoms: request.feeAtoms ?? NO_FEE,
    key: 0 as KeyId,
    address: request.address ?? '',
    network: request.network ?? null,
    description: request.description,
    signatureHash: request.signatureHash,
    withMail: request.withMail,
  });
  if (id === undefined) return new Refused('signature_replayed');
  const position = await appendFor(connection, {
    arrows: [arrow],
    withdrawalRequest: id,
    channel: OUTBOX_CHANNELS.withdrawals,
    command: isPending
      ? openCommand(id, { ...request, feeAsset: asset, feeAtoms: NO_FEE })
      : { kind: 'BurnAsset', user, asset: asset.id, amountAtoms, reference: transactionId },
  });
  return { kind: 'requested', id, transactionId, position };
}

const NO_FEE = 0n as Atoms;

/** Address of a withdrawal whose request is lost and known only from the log. */
export const LOST_ADDRESS = 'lost';

export interface NewWithdrawalRequest {
  readonly kind: 'withdrawal' | 'burn' | 'transfer';
  readonly state: WithdrawalState;
  readonly user: UserId;
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  readonly feeAsset: RequestedAsset;
  readonly feeAtoms: Atoms;
  readonly address: string;
  readonly network: string | null;
  readonly transactionId: string;
  readonly description?: string | undefined;
  readonly signatureHash?: Uint8Array | undefined;
  readonly key: KeyId;
  /** 0 or absent without a session. */
  readonly session?: number | undefined;
  /** When it expires unless confirmed. */
  readonly expiresAt?: Date | undefined;
  /** Absent if the policy does not apply. */
  readonly decided?: Decided;
  /** Operator's choice; if absent, the default applies. */
  readonly withMail?: boolean | undefined;
}

/** A policy decision and its input. */
interface Decided extends PolicyDecision {
  readonly input: PolicyInput;
}

/** Exact only under the family lock. */
export async function isSignatureUsed(
  connection: Connection,
  { signatureHash }: Pick<WithdrawalRequest, 'signatureHash'>,
): Promise<boolean> {
  if (signatureHash === undefined) return false;
  const { rows } = await connection.query(
    'select from withdrawal_requests where signature_hash = $1',
    [Buffer.from(signatureHash)],
  );
  return rows.length > 0;
}

/**
 * Returns undefined if the signature was already used. A fiat withdrawal stores the sealed fields
 * of its bank account, which reviewers and payers read.
 */
export async function insertWithdrawalRequest(
  connection: Connection,
  request: NewWithdrawalRequest,
): Promise<number | undefined> {
  const { asset, decided, feeAsset, signatureHash } = request;
  const { rows } = await connection.query(
    `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state,
       description, signature_hash, key_id, session_id, expires_at, policy_input, policy_lines,
       reviews_needed, with_mail, bank_sealed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
       $20, $21, $22, $23, (
         select sealed from bank_accounts
         where $12::text = '${FIAT_NETWORK}' and id = $11::text and user_id = $2::bigint))
     on conflict (signature_hash) do nothing returning id`,
    [
      request.kind,
      request.user,
      asset.id,
      asset.currency,
      asset.scale,
      request.amountAtoms,
      feeAsset.id,
      feeAsset.currency,
      feeAsset.scale,
      request.feeAtoms,
      request.address,
      request.network,
      request.transactionId,
      request.state,
      request.description ?? '',
      signatureHash && Buffer.from(signatureHash),
      request.key,
      request.session ?? 0,
      request.expiresAt ?? null,
      ...policyColumns(decided),
      request.withMail ?? null,
    ],
  );
  return rows.length === 0 ? undefined : Number(rows[0].id);
}

/** Values of policy_input, policy_lines and reviews_needed. */
function policyColumns(
  decided: Decided | undefined,
): [input: string | null, lines: string | null, reviews: number] {
  if (decided === undefined) return [null, null, 0];
  const { input, lines, verdict } = decided;
  return [JSON.stringify(input), JSON.stringify(lines), reviewsOf(verdict)];
}
