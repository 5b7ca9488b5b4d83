// Requests to withdraw: limits, holds, the request and its command are one transaction. After that
// a request moves by withdrawal-states.ts: see domain/withdrawals. Never decides whether the
// balance is sufficient: the engine does.

import { randomUUID } from 'node:crypto';
import type { AssetId, Atoms, KeyId, UserId } from '../../core/money/index.ts';
import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import { OUTBOX_CHANNELS, type OutboxPosition } from './outbox.ts';
import { appendFor, beginning } from './request-moves.ts';
import { type WithdrawalRefusal, withdrawalVerdict } from './withdrawal-limits.ts';
import { WITHDRAWALS, type WithdrawalState } from './withdrawal-states.ts';
import { readVerdictInput } from './withdrawal-verdict-input.ts';

/** An asset as the log lists it. */
export interface RequestedAsset {
  readonly id: AssetId;
  readonly currency: string;
  readonly scale: number;
}

export interface WithdrawalRequest {
  readonly user: UserId;
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  readonly feeAsset: RequestedAsset;
  readonly feeAtoms: Atoms;
  readonly address: string;
  readonly network: string | null;
  readonly description?: string;
  /** 0 for a session or an operator. */
  readonly key: KeyId;
  /** Of the signed HTTP request; a second request with the same hash is refused. */
  readonly signatureHash?: Uint8Array;
  /** The price of one unit of each currency in this currency, as decimals. */
  pricesIn?(currency: string): Readonly<Record<string, string>>;
  /** An operator's own decision: neither limits nor holds apply. */
  readonly isByOperator?: boolean;
  /** Checks the second factor, inside the transaction and behind the lock on the user. */
  isConfirmed?(connection: Connection): Promise<boolean>;
}

export type WithdrawalOpening =
  | {
      readonly kind: 'requested';
      readonly id: number;
      readonly transactionId: string;
      readonly position: OutboxPosition;
    }
  | {
      readonly kind: 'refused';
      readonly refusal: WithdrawalRefusal | 'signature_already_used' | 'confirmation_is_wrong';
    };

/** Runs in its own transaction, which is committed if it resolves with 'requested'. */
export function openWithdrawalRequest(
  connection: Connection,
  request: WithdrawalRequest,
): Promise<WithdrawalOpening> {
  return inTransaction(connection, async () => {
    const { asset, feeAsset, feeAtoms, isByOperator = false, isConfirmed } = request;
    const input = await readVerdictInput(connection, request);
    if (input === undefined) return refused('user_must_exist');
    const verdict = isByOperator ? 'allowed' : withdrawalVerdict(input);
    if (verdict !== 'allowed') return refused(verdict);
    if (isConfirmed !== undefined && !(await isConfirmed(connection))) {
      return refused('confirmation_is_wrong');
    }
    const arrow = beginning(WITHDRAWALS, 'request', isByOperator ? 'operator' : 'user');
    const transactionId = randomUUID();
    const id = await insertWithdrawalRequest(connection, {
      ...request,
      kind: 'withdrawal',
      state: arrow.to,
      transactionId,
      policyInput: isByOperator ? null : JSON.stringify(input),
    });
    if (id === undefined) return refused('signature_already_used');
    const { amountAtoms, user } = request;
    const position = await appendFor(connection, {
      arrows: [arrow],
      withdrawalRequest: id,
      channel: OUTBOX_CHANNELS.withdrawals,
      command: {
        kind: 'OpenWithdrawal',
        withdrawal: id,
        user,
        asset: asset.id,
        amountAtoms,
        feeAsset: feeAsset.id,
        feeAtoms,
      },
    });
    return { kind: 'requested', id, transactionId, position };
  });
}

export interface BurnRequest {
  readonly user: UserId;
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  readonly address?: string;
  readonly network?: string | null;
  readonly transactionId?: string;
  readonly description?: string;
  /** Only hold the amount: the request is completed or cancelled later. */
  readonly isPending?: boolean;
}

/** An operator takes an amount of a user out of the exchange. */
export function requestBurn(
  connection: Connection,
  request: BurnRequest,
): Promise<WithdrawalOpening> {
  const { amountAtoms, asset, isPending = false, user } = request;
  const { transactionId = randomUUID() } = request;
  return inTransaction(connection, async () => {
    if (!(await lockUser(connection, user))) return refused('user_must_exist');
    const arrow = beginning(WITHDRAWALS, isPending ? 'request' : 'execute', 'operator');
    const feeAtoms = 0n as Atoms;
    const id = await insertWithdrawalRequest(connection, {
      user,
      asset,
      amountAtoms,
      transactionId,
      kind: 'burn',
      state: arrow.to,
      policyInput: null,
      feeAsset: asset,
      feeAtoms,
      key: 0 as KeyId,
      address: request.address ?? '',
      network: request.network ?? null,
      description: request.description,
    });
    if (id === undefined) throw new Error('insert of a burn returned no row');
    const of = { user, asset: asset.id, amountAtoms };
    const position = await appendFor(connection, {
      arrows: [arrow],
      withdrawalRequest: id,
      channel: OUTBOX_CHANNELS.withdrawals,
      command: isPending
        ? { kind: 'OpenWithdrawal', withdrawal: id, ...of, feeAsset: asset.id, feeAtoms }
        : { kind: 'BurnAsset', ...of, reference: transactionId },
    });
    return { kind: 'requested', id, transactionId, position };
  });
}

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
  readonly policyInput: string | null;
}

/** Undefined if the signature has been used. */
export async function insertWithdrawalRequest(
  connection: Connection,
  request: NewWithdrawalRequest,
): Promise<number | undefined> {
  const { asset, feeAsset, signatureHash } = request;
  const { rows } = await connection.query(
    `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state,
       description, signature_hash, key_id, policy_input)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
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
      request.policyInput,
    ],
  );
  return rows.length === 0 ? undefined : Number(rows[0].id);
}

/** Requests of one user are decided one after another. False if the user does not exist. */
export async function lockUser(connection: Connection, user: UserId): Promise<boolean> {
  const text = 'select id from users where id = $1 for no key update';
  return (await connection.query(text, [user])).rows.length === 1;
}

function refused(refusal: Extract<WithdrawalOpening, { kind: 'refused' }>['refusal']) {
  return { kind: 'refused', refusal } as const;
}
