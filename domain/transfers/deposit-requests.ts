// Requests to credit a deposit, by operators and later by chain watchers, and transfers between
// users: the row and its command are one transaction. A pending deposit is only a row: it changes
// no balance.

import { randomUUID } from 'node:crypto';
import type { Atoms, KeyId, UserId } from '../../core/money/index.ts';
import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import { DEPOSITS, type DepositState } from './deposit-states.ts';
import { OUTBOX_CHANNELS, type OutboxCommand, type OutboxPosition } from './outbox.ts';
import {
  appendFor,
  beginning,
  lockRequest,
  moveRequest,
  type RequestChange,
  type RequestName,
} from './request-moves.ts';
import { insertWithdrawalRequest, lockUser, type RequestedAsset } from './withdrawal-requests.ts';
import { WITHDRAWALS } from './withdrawal-states.ts';

export interface DepositRequest {
  readonly user: UserId;
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  /** Only shown: the amount is credited in full. */
  readonly feeAtoms?: Atoms;
  /** A coin of a chain is deposited; an asset that the operator issues is minted. */
  readonly isChainCoin: boolean;
  readonly address?: string;
  readonly network?: string | null;
  /** With currency, network and address it is credited once. Random if not given. */
  readonly transactionId?: string;
  readonly description?: string;
  /** Not to be credited yet: the request is completed or cancelled later. */
  readonly isPending?: boolean;
}

export type DepositRequested =
  | {
      readonly kind: 'requested';
      readonly id: number;
      readonly transactionId: string;
      /** Undefined while it is pending. */
      readonly position: OutboxPosition | undefined;
    }
  | {
      readonly kind: 'refused';
      readonly refusal: 'user_must_exist' | 'transaction_already_credited';
    };

/** Runs in its own transaction. */
export function requestDeposit(
  connection: Connection,
  request: DepositRequest,
): Promise<DepositRequested> {
  return inTransaction(connection, async () => {
    if (!(await lockUser(connection, request.user))) return refused('user_must_exist');
    const { isPending = false, transactionId = randomUUID() } = request;
    const arrow = beginning(DEPOSITS, isPending ? 'announce' : 'credit', 'operator');
    const kind = request.isChainCoin ? 'deposit' : 'mint';
    const row = { ...request, transactionId, kind, state: arrow.to } as const;
    const id = await insertDepositRequest(connection, row);
    if (id === undefined) return refused('transaction_already_credited');
    if (isPending) return { kind: 'requested', id, transactionId, position: undefined };
    const position = await appendFor(connection, {
      arrows: [arrow],
      depositRequest: id,
      channel: OUTBOX_CHANNELS.deposits,
      command: creditCommand({ ...row, asset: request.asset.id }),
    });
    return { kind: 'requested', id, transactionId, position };
  });
}

/** A pending deposit is final: it is credited. */
export function completeDepositRequest(
  connection: Connection,
  name: RequestName,
): Promise<RequestChange> {
  return movePending(connection, name, 'credit');
}

/** A pending deposit is given up. The engine never sees it. */
export function cancelDepositRequest(
  connection: Connection,
  name: RequestName,
  as: 'dismissed' | 'rejected',
): Promise<RequestChange> {
  return movePending(connection, name, as === 'rejected' ? 'reject' : 'dismiss');
}

function movePending(
  connection: Connection,
  name: RequestName,
  move: 'credit' | 'dismiss' | 'reject',
): Promise<RequestChange> {
  return inTransaction(connection, async () => {
    const found = await lockRequest(connection, DEPOSITS, name);
    if ('refusal' in found) return found;
    const { row } = found;
    return moveRequest(connection, DEPOSITS, found, {
      move,
      by: 'operator',
      channel: OUTBOX_CHANNELS.deposits,
      command: creditCommand({
        kind: row.kind,
        user: Number(row.user_id) as UserId,
        asset: Number(row.asset_id) as RequestedAsset['id'],
        amountAtoms: BigInt(row.amount_atoms) as Atoms,
        transactionId: row.transaction_id,
      }),
    });
  });
}

interface Credit {
  readonly kind: DepositKind;
  readonly user: UserId;
  readonly asset: RequestedAsset['id'];
  readonly amountAtoms: Atoms;
  readonly transactionId: string;
}

function creditCommand(credit: Credit): OutboxCommand {
  const { amountAtoms, asset, kind, transactionId: reference, user } = credit;
  return {
    kind: kind === 'deposit' ? 'CreditDeposit' : 'MintAsset',
    user,
    asset,
    amountAtoms,
    reference,
  };
}

export interface TransferRequest {
  readonly sender: UserId;
  readonly receiver: UserId;
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  readonly description: string;
  /** An operator by default. */
  readonly by?: 'user' | 'operator';
  /** The person who moves the money, if known; and the key or session that was used. */
  readonly actor?: UserId;
  readonly key?: KeyId;
  readonly session?: number;
  /** Of the signed HTTP request; a second request with the same hash is refused. */
  readonly signatureHash?: Uint8Array;
}

export interface StartedTransfer {
  readonly withdrawalRequest: number;
  readonly depositRequest: number;
  readonly transactionId: string;
  readonly position: OutboxPosition;
}

export type TransferRequested =
  | {
      readonly kind: 'requested';
      readonly transactionId: string;
      readonly position: OutboxPosition;
    }
  | { readonly kind: 'refused'; readonly refusal: 'user_must_exist' };

/** Listed as a withdrawal of the sender and a deposit of the receiver with one transaction id. */
export function requestTransfer(
  connection: Connection,
  request: TransferRequest,
): Promise<TransferRequested> {
  const { receiver, sender } = request;
  return inTransaction(connection, async () => {
    // Locked in one order: two transfers between the same users cannot deadlock.
    for (const user of [sender, receiver].sort((one, other) => one - other)) {
      if (!(await lockUser(connection, user))) return refused('user_must_exist');
    }
    const started = await startTransfer(connection, request);
    if (started === undefined) throw new Error('a transfer without a signature was repeated');
    return { kind: 'requested', transactionId: started.transactionId, position: started.position };
  });
}

/**
 * The rows and the command of a transfer, in a transaction that has locked both users. Undefined if
 * the signature was used before.
 */
export async function startTransfer(
  connection: Connection,
  request: TransferRequest,
): Promise<StartedTransfer | undefined> {
  const { actor, amountAtoms, asset, by = 'operator', description, receiver, sender } = request;
  const [sending, receiving] = [
    beginning(WITHDRAWALS, 'execute', by),
    beginning(DEPOSITS, 'receive', by),
  ];
  const transactionId = randomUUID();
  const kind = 'transfer';
  const of = { kind, asset, amountAtoms, description, transactionId, address: kind } as const;
  const withdrawalRequest = await insertWithdrawalRequest(connection, {
    ...of,
    state: sending.to,
    user: sender,
    network: null,
    key: request.key ?? (0 as KeyId),
    signatureHash: request.signatureHash,
    feeAsset: asset,
    feeAtoms: 0n as Atoms,
  });
  if (withdrawalRequest === undefined) return undefined;
  await connection.query(
    'update withdrawal_requests set actor_id = $2, session_id = $3 where id = $1',
    [withdrawalRequest, actor ?? null, request.session ?? 0],
  );
  const row = { ...of, state: receiving.to, user: receiver };
  const depositRequest = await insertDepositRequest(connection, row);
  if (depositRequest === undefined) throw new Error(`transaction ${transactionId} exists already`);
  const position = await appendFor(connection, {
    arrows: [sending, receiving],
    withdrawalRequest,
    depositRequest,
    channel: OUTBOX_CHANNELS.transfers,
    command: {
      kind: 'TransferAsset',
      sender,
      receiver,
      asset: asset.id,
      amountAtoms,
      reference: transactionId,
    },
  });
  return { withdrawalRequest, depositRequest, transactionId, position };
}

export interface ReceivedTransfer {
  readonly user: UserId;
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  /** Of the sending side. */
  readonly transactionId: string;
  readonly network: string | null;
  readonly address: string;
}

/**
 * The receiving side of a transfer whose sending side exists, in the caller's transaction, which
 * appends the command of both.
 */
export async function addReceivedTransfer(
  connection: Connection,
  received: ReceivedTransfer,
): Promise<number> {
  const { to: state } = beginning(DEPOSITS, 'receive', 'user');
  const id = await insertDepositRequest(connection, { ...received, kind: 'transfer', state });
  if (id === undefined) throw new Error(`transaction ${received.transactionId} exists already`);
  return id;
}

type DepositKind = 'deposit' | 'mint' | 'transfer';

interface NewDepositRequest extends Omit<DepositRequest, 'isChainCoin' | 'isPending'> {
  readonly kind: DepositKind;
  readonly state: DepositState;
  readonly transactionId: string;
}

/** Undefined if the same transaction has a row that has not failed. */
async function insertDepositRequest(
  connection: Connection,
  request: NewDepositRequest,
): Promise<number | undefined> {
  const { asset } = request;
  const failed = DEPOSITS.failedStates.map((state) => `'${state}'`).join(', ');
  const { rows } = await connection.query(
    `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_atoms, address, network, transaction_id, state, description)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (transaction_id, currency, coalesce(network, ''), address)
       where state not in (${failed}) do nothing
     returning id`,
    [
      request.kind,
      request.user,
      asset.id,
      asset.currency,
      asset.scale,
      request.amountAtoms,
      request.feeAtoms ?? 0n,
      request.address ?? '',
      request.network ?? null,
      request.transactionId,
      request.state,
      request.description ?? '',
    ],
  );
  return rows.length === 0 ? undefined : Number(rows[0].id);
}

function refused<Refusal extends string>(refusal: Refusal) {
  return { kind: 'refused', refusal } as const;
}
