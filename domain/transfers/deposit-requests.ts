// Deposits as operators, and later chain connectors, ask for them, and transfers between users:
// the row and its command in one transaction. A pending deposit is only a row: no balance knows it.

import { randomUUID } from 'node:crypto';
import type { Atoms, KeyId, UserId } from '../../core/money/index.ts';
import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import { appendToOutbox, OUTBOX_CHANNELS, type OutboxPosition } from './outbox.ts';
import {
  insertWithdrawalRequest,
  lockUser,
  type RequestChange,
  type RequestedAsset,
  type RequestName,
  type RequestRefusal,
} from './withdrawal-requests.ts';

export interface DepositWish {
  readonly user: UserId;
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  /** Only shown: the amount is what arrives. */
  readonly feeAtoms?: Atoms;
  /** A coin of a chain is deposited, what the house issues is minted. */
  readonly isChainCoin: boolean;
  readonly address?: string;
  readonly network?: string | null;
  /** The cause: with currency, network and address it is credited once. Drawn when not given. */
  readonly transactionId?: string;
  readonly description?: string;
  /** Not to be credited yet: to be completed or cancelled later. */
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

/** One transaction of its own. */
export function requestDeposit(
  connection: Connection,
  wish: DepositWish,
): Promise<DepositRequested> {
  return inTransaction(connection, async () => {
    if (!(await lockUser(connection, wish.user))) return refused('user_must_exist');
    const { isPending = false, transactionId = randomUUID() } = wish;
    const request = { ...wish, transactionId, kind: wish.isChainCoin ? 'deposit' : 'mint' };
    const id = await insertDepositRequest(connection, request);
    if (id === undefined) return refused('transaction_already_credited');
    const position = isPending ? undefined : await creditLater(connection, id, request);
    return { kind: 'requested', id, transactionId, position };
  });
}

/** A pending one is final now. */
export function completeDepositRequest(
  connection: Connection,
  name: RequestName,
): Promise<RequestChange> {
  return inTransaction(connection, async () => {
    const found = await lockPending(connection, name);
    if ('refusal' in found) return found;
    const { id } = found;
    const text =
      "update deposit_requests set state = 'requested', updated_at = now() where id = $1";
    await connection.query(text, [id]);
    return { kind: 'requested', id, position: await creditLater(connection, id, found) };
  });
}

export type DepositCanceled =
  | { readonly kind: 'canceled'; readonly id: number }
  | { readonly kind: 'refused'; readonly refusal: RequestRefusal };

/** A pending one is given up. The engine never hears of it. */
export function cancelDepositRequest(
  connection: Connection,
  name: RequestName,
  as: 'dismissed' | 'rejected',
): Promise<DepositCanceled> {
  return inTransaction(connection, async () => {
    const found = await lockPending(connection, name);
    if ('refusal' in found) return found;
    await connection.query(
      `update deposit_requests set state = 'canceled', dismissed = $2, rejected = $3,
         processing = false, waiting = false, updated_at = now() where id = $1`,
      [found.id, as === 'dismissed', as === 'rejected'],
    );
    return { kind: 'canceled', id: found.id };
  });
}

export interface TransferWish {
  readonly sender: UserId;
  readonly receiver: UserId;
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  readonly description: string;
}

export type TransferRequested =
  | {
      readonly kind: 'requested';
      readonly transactionId: string;
      readonly position: OutboxPosition;
    }
  | { readonly kind: 'refused'; readonly refusal: 'user_must_exist' };

/** Shown as a withdrawal of the sender and a deposit of the receiver with one transaction. */
export function requestTransfer(
  connection: Connection,
  wish: TransferWish,
): Promise<TransferRequested> {
  const { amountAtoms, asset, description, receiver, sender } = wish;
  return inTransaction(connection, async () => {
    // In one order, so that two transfers between the same two do not wait for each other.
    for (const user of [sender, receiver].sort((one, other) => one - other)) {
      if (!(await lockUser(connection, user))) return refused('user_must_exist');
    }
    const transactionId = randomUUID();
    const of = { asset, amountAtoms, address: 'transfer', network: null, transactionId };
    const withdrawalRequest = await insertWithdrawalRequest(connection, {
      ...of,
      kind: 'transfer',
      user: sender,
      key: 0 as KeyId,
      verdictInput: null,
      feeAsset: asset,
      feeAtoms: 0n as Atoms,
      description,
    });
    const request = { ...of, kind: 'transfer', user: receiver, description };
    const depositRequest = await insertDepositRequest(connection, request);
    if (withdrawalRequest === undefined || depositRequest === undefined) {
      throw new Error(`transaction ${transactionId} was drawn twice`);
    }
    const position = await appendToOutbox(
      connection,
      OUTBOX_CHANNELS.transfers,
      {
        kind: 'TransferAsset',
        sender,
        receiver,
        asset: asset.id,
        amountAtoms,
        reference: transactionId,
      },
      { withdrawalRequest, depositRequest },
    );
    return { kind: 'requested', transactionId, position };
  });
}

interface NewDepositRequest extends Omit<DepositWish, 'isChainCoin'> {
  readonly kind: string;
  readonly transactionId: string;
}

/** Undefined when the same transaction has been asked for and not been refused or given up. */
async function insertDepositRequest(
  connection: Connection,
  request: NewDepositRequest,
): Promise<number | undefined> {
  const { asset, isPending = false } = request;
  const { rows } = await connection.query(
    `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_atoms, address, network, transaction_id, state, description)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (transaction_id, currency, coalesce(network, ''), address)
       where state not in ('refused', 'canceled') do nothing
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
      isPending ? 'pending' : 'requested',
      request.description ?? '',
    ],
  );
  return rows.length === 0 ? undefined : Number(rows[0].id);
}

interface Credit {
  readonly kind: string;
  readonly user: UserId;
  readonly asset: Pick<RequestedAsset, 'id'>;
  readonly amountAtoms: Atoms;
  readonly transactionId: string;
}

function creditLater(connection: Connection, id: number, credit: Credit): Promise<OutboxPosition> {
  const { amountAtoms, asset, kind, transactionId: reference, user } = credit;
  return appendToOutbox(
    connection,
    OUTBOX_CHANNELS.deposits,
    {
      kind: kind === 'deposit' ? 'CreditDeposit' : 'MintAsset',
      user,
      asset: asset.id,
      amountAtoms,
      reference,
    },
    { depositRequest: id },
  );
}

type Pending = Credit & { readonly id: number };

async function lockPending(
  connection: Connection,
  name: RequestName,
): Promise<Pending | Extract<RequestChange, { kind: 'refused' }>> {
  const [column, value] =
    'id' in name ? (['id', name.id] as const) : (['transaction_id', name.transactionId] as const);
  const { rows } = await connection.query(
    `select id, kind, user_id, asset_id, amount_atoms, transaction_id, state
     from deposit_requests where ${column} = $1 order by id limit 2 for update`,
    [value],
  );
  const refusedAs = (refusal: RequestRefusal) => ({ kind: 'refused', refusal }) as const;
  if (rows.length === 0) return refusedAs('request_must_exist');
  if (rows.length > 1) return refusedAs('several_requests_have_this_transaction');
  const [row] = rows;
  if (row.state === 'requested') return refusedAs('request_is_under_way');
  if (row.state !== 'pending') return refusedAs('request_has_ended');
  return {
    id: Number(row.id),
    kind: row.kind,
    user: Number(row.user_id) as UserId,
    asset: { id: Number(row.asset_id) as RequestedAsset['id'] },
    amountAtoms: BigInt(row.amount_atoms) as Atoms,
    transactionId: row.transaction_id,
  };
}

function refused<Refusal extends string>(refusal: Refusal) {
  return { kind: 'refused', refusal } as const;
}
