// Withdrawals as people ask for them: limits, holds, the request and its command are one
// transaction. From here on a request moves by the outbox alone; see outbox-settle.ts. It never
// decides whether the money is there.

import { randomUUID } from 'node:crypto';
import type { AssetId, Atoms, KeyId, UserId } from '../../core/money/index.ts';
import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import { appendToOutbox, OUTBOX_CHANNELS, type OutboxPosition } from './outbox.ts';
import { type WithdrawalRefusal, withdrawalVerdict } from './withdrawal-limits.ts';
import { readVerdictInput } from './withdrawal-verdict-input.ts';

/** An asset as the log lists it. */
export interface RequestedAsset {
  readonly id: AssetId;
  readonly currency: string;
  readonly scale: number;
}

export interface WithdrawalWish {
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
  /** Of the signed request; the same one again is refused, whichever gateway it came to. */
  readonly signatureHash?: Uint8Array;
  /** What one unit of each currency is worth in this one, as decimals. */
  pricesIn?(currency: string): Readonly<Record<string, string>>;
  /** An operator's own decision: neither limits nor holds are asked. */
  readonly isByOperator?: boolean;
  /** Inside the transaction, behind the lock on the user: whether the second factor is right. */
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

/** One transaction of its own: when it has resolved with 'requested', it is committed. */
export function openWithdrawalRequest(
  connection: Connection,
  wish: WithdrawalWish,
): Promise<WithdrawalOpening> {
  return inTransaction(connection, () => addWithdrawalRequest(connection, wish));
}

/** The same inside the caller's transaction, which is to be rolled back when it throws. */
export async function addWithdrawalRequest(
  connection: Connection,
  wish: WithdrawalWish,
): Promise<WithdrawalOpening> {
  const { feeAsset, feeAtoms, isConfirmed } = wish;
  const input = await readVerdictInput(connection, wish);
  if (input === undefined) return refused('user_must_exist');
  const verdict = wish.isByOperator ? 'allowed' : withdrawalVerdict(input);
  if (verdict !== 'allowed') return refused(verdict);
  if (isConfirmed !== undefined && !(await isConfirmed(connection))) {
    return refused('confirmation_is_wrong');
  }
  const transactionId = randomUUID();
  const id = await insertWithdrawalRequest(connection, {
    ...wish,
    kind: 'withdrawal',
    transactionId,
    verdictInput: wish.isByOperator ? null : JSON.stringify(input),
  });
  if (id === undefined) return refused('signature_already_used');
  const position = await appendToOutbox(
    connection,
    OUTBOX_CHANNELS.withdrawals,
    {
      kind: 'OpenWithdrawal',
      withdrawal: id,
      user: wish.user,
      asset: wish.asset.id,
      amountAtoms: wish.amountAtoms,
      feeAsset: feeAsset.id,
      feeAtoms,
    },
    { withdrawalRequest: id },
  );
  return { kind: 'requested', id, transactionId, position };
}

export interface BurnWish {
  readonly user: UserId;
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  readonly address?: string;
  readonly network?: string | null;
  readonly transactionId?: string;
  readonly description?: string;
  /** Only held for now: to be completed or cancelled later. */
  readonly isPending?: boolean;
}

/** An operator takes an amount of a user out of the exchange. */
export function requestBurn(connection: Connection, wish: BurnWish): Promise<WithdrawalOpening> {
  const { amountAtoms, asset, isPending = false, user } = wish;
  const { transactionId = randomUUID() } = wish;
  return inTransaction(connection, async () => {
    if (!(await lockUser(connection, user))) return refused('user_must_exist');
    const id = await insertWithdrawalRequest(connection, {
      user,
      asset,
      amountAtoms,
      transactionId,
      kind: 'burn',
      verdictInput: null,
      feeAsset: asset,
      feeAtoms: 0n as Atoms,
      key: 0 as KeyId,
      address: wish.address ?? '',
      network: wish.network ?? null,
      description: wish.description,
    });
    if (id === undefined) throw new Error('a burn has no signature that could be used already');
    const of = { user, asset: asset.id, amountAtoms };
    const position = await appendToOutbox(
      connection,
      OUTBOX_CHANNELS.withdrawals,
      isPending
        ? {
            kind: 'OpenWithdrawal',
            withdrawal: id,
            ...of,
            feeAsset: asset.id,
            feeAtoms: 0n as Atoms,
          }
        : { kind: 'BurnAsset', ...of, reference: transactionId },
      { withdrawalRequest: id },
    );
    return { kind: 'requested', id, transactionId, position };
  });
}

/** A row's number, or the transaction it names. */
export type RequestName = { readonly id: number } | { readonly transactionId: string };

export type RequestRefusal =
  | 'request_must_exist'
  /** Name it by its id. */
  | 'several_requests_have_this_transaction'
  /** The engine has been asked and has not answered yet, or somebody works on it. */
  | 'request_is_under_way'
  | 'request_has_ended'
  /** With it, another deposit has the same cause. */
  | 'transaction_already_credited';

export type RequestChange =
  | { readonly kind: 'requested'; readonly id: number; readonly position: OutboxPosition }
  | { readonly kind: 'refused'; readonly refusal: RequestRefusal };

/** It has been paid, by this transaction: the amount leaves the exchange. */
export function completeWithdrawalRequest(
  connection: Connection,
  name: RequestName,
  chainTransactionId: string,
): Promise<RequestChange> {
  return inTransaction(connection, async () => {
    const found = await lockOpened(connection, name);
    if ('refusal' in found) return found;
    const { id } = found;
    await connection.query(
      `update withdrawal_requests
       set state = 'completing', transaction_id = $2, updated_at = now() where id = $1`,
      [id, chainTransactionId],
    );
    const position = await appendToOutbox(
      connection,
      OUTBOX_CHANNELS.withdrawals,
      { kind: 'CompleteWithdrawal', withdrawal: id, reference: chainTransactionId },
      { withdrawalRequest: id },
    );
    return { kind: 'requested', id, position };
  });
}

export type CancelBy =
  /** Only an own one, and not one that somebody works on. */
  { readonly user: UserId } | { readonly operator: true; readonly as: 'dismissed' | 'rejected' };

/** What was held becomes available again. */
export function cancelWithdrawalRequest(
  connection: Connection,
  name: RequestName,
  by: CancelBy,
): Promise<RequestChange> {
  return inTransaction(connection, async () => {
    const found = await lockOpened(connection, name, 'user' in by ? by.user : undefined);
    if ('refusal' in found) return found;
    if ('user' in by && found.isWorkedOn) return refusedChange('request_is_under_way');
    const { id } = found;
    const flag = 'user' in by ? 'dismissed' : by.as;
    await connection.query(
      `update withdrawal_requests set state = 'canceling', dismissed = $2, rejected = $3,
         updated_at = now() where id = $1`,
      [id, flag === 'dismissed', flag === 'rejected'],
    );
    const position = await appendToOutbox(
      connection,
      OUTBOX_CHANNELS.withdrawals,
      { kind: 'CancelWithdrawal', withdrawal: id },
      { withdrawalRequest: id },
    );
    return { kind: 'requested', id, position };
  });
}

interface Opened {
  readonly id: number;
  readonly isWorkedOn: boolean;
}

/** Another user's is as if it were not there. */
async function lockOpened(
  connection: Connection,
  name: RequestName,
  ofUser?: UserId,
): Promise<Opened | Extract<RequestChange, { kind: 'refused' }>> {
  const [column, value] =
    'id' in name ? (['id', name.id] as const) : (['transaction_id', name.transactionId] as const);
  const { rows } = await connection.query(
    `select id, state, processing or waiting as is_worked_on
     from withdrawal_requests where ${column} = $1 and ($2::bigint is null or user_id = $2)
     order by id limit 2 for update`,
    [value, ofUser ?? null],
  );
  if (rows.length === 0) return refusedChange('request_must_exist');
  if (rows.length > 1) return refusedChange('several_requests_have_this_transaction');
  const [{ id, is_worked_on: isWorkedOn, state }] = rows;
  if (state === 'opened') return { id: Number(id), isWorkedOn };
  const hasEnded = ['refused', 'completed', 'canceled'].includes(state);
  return refusedChange(hasEnded ? 'request_has_ended' : 'request_is_under_way');
}

export interface NewWithdrawalRequest {
  readonly kind: 'withdrawal' | 'burn' | 'transfer';
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
  readonly verdictInput: string | null;
}

/** Undefined when the signature has been used. */
export async function insertWithdrawalRequest(
  connection: Connection,
  request: NewWithdrawalRequest,
): Promise<number | undefined> {
  const { asset, feeAsset, signatureHash } = request;
  const { rows } = await connection.query(
    `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_asset_id, fee_currency, fee_scale, fee_atoms, address, network, transaction_id, state,
       description, signature_hash, key_id, verdict_input)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'requested', $14, $15, $16,
       $17)
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
      request.description ?? '',
      signatureHash && Buffer.from(signatureHash),
      request.key,
      request.verdictInput,
    ],
  );
  return rows.length === 0 ? undefined : Number(rows[0].id);
}

/** So that what is asked about a user, and what follows from it, is one thing after another. */
export async function lockUser(connection: Connection, user: UserId): Promise<boolean> {
  const text = 'select id from users where id = $1 for no key update';
  return (await connection.query(text, [user])).rows.length === 1;
}

function refused(refusal: Extract<WithdrawalOpening, { kind: 'refused' }>['refusal']) {
  return { kind: 'refused', refusal } as const;
}

function refusedChange(refusal: RequestRefusal) {
  return { kind: 'refused', refusal } as const;
}
