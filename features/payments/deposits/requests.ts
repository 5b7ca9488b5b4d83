// Requests to credit a deposit, by operators and later by chain watchers, and transfers between
// users. The row and its command are written in one transaction. A pending deposit is only a row
// and changes no balance.

import { randomUUID } from 'node:crypto';
import type { Atoms, KeyId, UserId } from '../../../core/money/index.ts';
import { type Connection, inTransaction } from '../../../infra/postgres/index.ts';
import {
  OUTBOX_CHANNELS,
  type OutboxCommand,
  type OutboxPosition,
} from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { causeOf, lostPrefixOf, outputOf, TRANSACTION_OF_CAUSE } from '../causes.ts';
import { lockFamilies, lockFamily } from '../family.ts';
import {
  appendFor,
  beginning,
  type LockedRequest,
  lockRequest,
  moveRequest,
  type RequestChange,
  type RequestName,
} from '../request-moves.ts';
import { insertWithdrawalRequest, type RequestedAsset } from '../withdrawals/requests.ts';
import { WITHDRAWALS } from '../withdrawals/states.ts';
import { DEPOSITS, type DepositState } from './states.ts';

export interface DepositRequest {
  readonly user: UserId;
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  /** Display only: the amount is credited in full. */
  readonly feeAtoms?: Atoms;
  /** Chain coins are deposited; assets issued by the operator are minted. */
  readonly isChainCoin: boolean;
  /** Display only. */
  readonly address?: string;
  /** One of the coin's networks; null for a coin without networks. Display only. */
  readonly network?: string | null;
  /** Together with the output, this is the cause. Random if not given. */
  readonly transactionId?: string;
  /** Required if another output of the transaction has a deposit. */
  readonly output?: string | undefined;
  readonly description?: string;
  /** Do not credit yet: the request is completed or canceled later. */
  readonly isPending?: boolean;
  /** Defaults to an operator. */
  readonly by?: 'operator' | 'watcher';
  /** Operator's choice; if absent, the default applies. */
  readonly withMail?: boolean | undefined;
}

export interface RequestedDeposit {
  readonly kind: 'requested';
  readonly id: number;
  readonly transactionId: string;
  /** Undefined while it is pending. */
  readonly position: OutboxPosition | undefined;
}

/**
 * After 'transaction_failed_before', credit the failed request again; never create a second one.
 */
export type DepositRefusal = 'user_not_found' | 'transaction_failed_before' | CauseRefusal;
type CauseRefusal = 'transaction_id_used' | 'transaction_output_repeated';

/** Runs in its own transaction. */
export function requestDeposit(
  connection: Connection,
  request: DepositRequest,
): Promise<RequestedDeposit | Refused<DepositRefusal>> {
  return inTransaction(connection, () => addDepositRequest(connection, request));
}

/** Same as `requestDeposit`, in the caller's transaction, which commits rejections too. */
export async function addDepositRequest(
  connection: Connection,
  request: DepositRequest,
): Promise<RequestedDeposit | Refused<DepositRefusal>> {
  const { by = 'operator', isPending = false, transactionId = randomUUID() } = request;
  const family = await lockFamily(connection, request.user);
  if (family === undefined) return new Refused('user_not_found');
  const arrow = beginning(DEPOSITS, isPending ? 'announce' : 'credit', by);
  const kind = request.isChainCoin ? 'deposit' : 'mint';
  const cause = causeOf({ transactionId, output: request.output });
  const refusal = await refuseOutput(connection, {
    ...request,
    cause,
    asset: request.asset.id,
    isNamed: request.output !== undefined,
    isWatched: by === 'watcher',
  });
  if (refusal !== undefined) return refusal;
  const row = { ...request, transactionId, kind, cause, state: arrow.to } as const;
  const id = await insertDepositRequest(connection, row);
  if (id === undefined) return refuseRepeated(connection, row);
  if (isPending) return { kind: 'requested', id, transactionId, position: undefined };
  const position = await appendFor(connection, {
    arrows: [arrow],
    depositRequest: id,
    channel: OUTBOX_CHANNELS.deposits,
    command: creditCommand({ ...row, asset: request.asset.id }),
  });
  return { kind: 'requested', id, transactionId, position };
}

/**
 * Stores a user's announcement of a deposit. The row has no cause until an operator credits it, so
 * a user cannot occupy another user's transaction. The caller's transaction has locked the user.
 */
export async function announceDeposit(
  connection: Connection,
  request: Omit<DepositRequest, 'by' | 'isPending' | 'output'>,
): Promise<{ readonly id: number; readonly transactionId: string }> {
  const { transactionId = randomUUID() } = request;
  const kind = request.isChainCoin ? 'deposit' : 'mint';
  const { to: state } = beginning(DEPOSITS, 'announce', 'user');
  const row = { ...request, transactionId, kind, cause: null, state } as const;
  const id = await insertDepositRequest(connection, row);
  if (id === undefined) throw new Error('a deposit without a cause was refused as repeated');
  return { id, transactionId };
}

/** Operator's correction of a cause. Absent parts keep the row's value. */
export interface NamedCause {
  readonly transactionId?: string | undefined;
  /** 0 if absent and the row has no cause yet. */
  readonly output?: string | undefined;
}

/** Absent notes keep their value too. */
export interface DepositCompletion extends NamedCause {
  readonly description?: string | undefined;
  readonly address?: string | undefined;
}

/**
 * Credits a final pending deposit, or a failed one. First sets the cause if the row has none or
 * gets another one.
 */
export async function completeDepositIn(
  connection: Connection,
  name: RequestName,
  completion: DepositCompletion,
): Promise<RequestChange> {
  const found = await lockRequest(connection, DEPOSITS, name);
  if (found instanceof Refused) return found;
  const { row, state } = found;
  // A transfer's command belongs to two rows, so neither can move alone.
  const move = state === 'in_review' ? 'approve' : 'credit';
  if (row.kind === 'transfer' || DEPOSITS.find(state, move, 'operator') === undefined) {
    return new Refused(DEPOSITS.refusals.notMovable);
  }
  const { address, description, output, transactionId = row.transaction_id } = completion;
  const isNamed = completion.transactionId !== undefined || output !== undefined;
  if (row.cause === null || isNamed) {
    const refusal = await setCause(connection, found, completion);
    if (refusal !== undefined) return refusal;
  }
  await connection.query(
    `update deposit_requests set description = coalesce($2, description),
       address = coalesce($3, address) where id = $1`,
    [found.id, description ?? null, address ?? null],
  );
  return moveRequest(connection, DEPOSITS, found, {
    move,
    by: 'operator',
    transactionId,
    channel: OUTBOX_CHANNELS.deposits,
    command: creditOf(row, transactionId),
  });
}

/** Gives up a pending deposit. The engine never sees it. */
export async function cancelDepositIn(
  connection: Connection,
  name: RequestName,
  as: 'dismissed' | 'rejected',
): Promise<RequestChange> {
  const found = await lockRequest(connection, DEPOSITS, name);
  if (found instanceof Refused) return found;
  return moveRequest(connection, DEPOSITS, found, {
    move: as === 'rejected' ? 'reject' : 'dismiss',
    by: 'operator',
    channel: OUTBOX_CHANNELS.deposits,
    command: creditOf(found.row, found.row.transaction_id),
  });
}

/** Corrects the cause of an open deposit. A row without a cause gets one if an output is given. */
export async function changeTransactionIn(
  connection: Connection,
  name: RequestName,
  named: NamedCause,
): Promise<RequestChange> {
  const found = await lockRequest(connection, DEPOSITS, name);
  if (found instanceof Refused) return found;
  const { id, row, state } = found;
  if (DEPOSITS.states[state].phase !== 'open') return new Refused(DEPOSITS.refusals.notMovable);
  const { output, transactionId = row.transaction_id } = named;
  if (row.cause !== null || output !== undefined) {
    const refusal = await setCause(connection, found, named);
    if (refusal !== undefined) return refusal;
  }
  await connection.query(
    'update deposit_requests set transaction_id = $2, updated_at = now() where id = $1',
    [id, transactionId],
  );
  return { kind: 'moved', id };
}

/** Rejects if another request has the cause; the row then keeps its own. */
async function setCause(
  connection: Connection,
  { id, row }: LockedRequest<DepositState>,
  named: NamedCause,
): Promise<Refused<CauseRefusal> | undefined> {
  const { transactionId = row.transaction_id, output = outputOf(row.cause ?? '') } = named;
  const { rows: lost } = await connection.query(
    `select from deposit_requests
     where asset_id = $1 and cause like '*/%' and starts_with(cause, $2)`,
    [row.asset_id, lostPrefixOf(transactionId)],
  );
  if (lost.length > 0) return new Refused('transaction_id_used');
  const cause = causeOf({ transactionId, output });
  const refusal = await refuseOutput(connection, {
    id,
    cause,
    user: Number(row.user_id) as UserId,
    asset: Number(row.asset_id) as RequestedAsset['id'],
    amountAtoms: BigInt(row.amount_atoms) as Atoms,
    // Any other output was given earlier.
    isNamed: named.output !== undefined || outputOf(cause) !== '0',
    isWatched: false,
  });
  if (refusal !== undefined) return refusal;
  await connection.query('savepoint cause');
  try {
    await connection.query('update deposit_requests set cause = $2 where id = $1', [id, cause]);
  } catch (fault) {
    if ((fault as { constraint?: string }).constraint !== CAUSE_INDEX) throw fault;
    await connection.query('rollback to savepoint cause');
    return new Refused('transaction_id_used');
  }
  await connection.query('release savepoint cause');
  return undefined;
}

interface NewOutput {
  /** ID of the row that gets the cause, if it exists. */
  readonly id?: number;
  readonly cause: string;
  readonly user: UserId;
  readonly asset: RequestedAsset['id'];
  readonly amountAtoms: Atoms;
  readonly isNamed: boolean;
  /** A watcher read the output from the chain; an operator might have typed one payment twice. */
  readonly isWatched: boolean;
}

/**
 * A second deposit of a transaction must name its output. If an operator reports it, it must differ
 * from the first in its user or amount. Deposits of one transaction run one after another until the
 * caller's transaction ends; the index on causes rejects equal outputs.
 */
async function refuseOutput(
  connection: Connection,
  { amountAtoms, asset, cause, id = 0, isNamed, isWatched, user }: NewOutput,
): Promise<Refused<CauseRefusal> | undefined> {
  const lock = `deposit ${asset} ${cause.slice(0, cause.lastIndexOf('/'))}`;
  await connection.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [lock]);
  const { rows } = await connection.query(
    `select bool_or(user_id = $4 and amount_atoms = $5 and state <> all($6)) as is_repeated
     from deposit_requests
     where asset_id = $1 and ${TRANSACTION_OF_CAUSE} = regexp_replace($2::text, '[^/]*$', '')
       and cause is not null and id <> $3
     having count(*) > 0 and count(*) filter (where cause = $2) = 0`,
    [asset, cause, id, user, amountAtoms, DEPOSITS.failedStates],
  );
  if (rows.length === 0) return undefined;
  if (!isNamed) return new Refused('transaction_id_used');
  const isRepeated = rows[0].is_repeated && !isWatched;
  return isRepeated ? new Refused('transaction_output_repeated') : undefined;
}

const CAUSE_INDEX = 'deposit_requests_by_cause';

interface Credit {
  readonly kind: DepositKind;
  readonly user: UserId;
  readonly asset: RequestedAsset['id'];
  readonly amountAtoms: Atoms;
  readonly transactionId: string;
}

/** Returns the command that credits a row. */
// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function creditOf(row: any, transactionId: string): OutboxCommand {
  return creditCommand({
    kind: row.kind,
    user: Number(row.user_id) as UserId,
    asset: Number(row.asset_id) as RequestedAsset['id'],
    amountAtoms: BigInt(row.amount_atoms) as Atoms,
    transactionId,
  });
}

export function creditCommand(credit: Credit): OutboxCommand {
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
  /** Defaults to an operator. */
  readonly by?: 'user' | 'operator';
  /** User who moves the money, if known, and the key or session used. */
  readonly actor?: UserId;
  readonly key?: KeyId;
  readonly session?: number;
  /** Hash of the signed HTTP request; a second request with the same hash is rejected. */
  readonly signatureHash?: Uint8Array | undefined;
  /** Operator's choice; if absent, the default applies. */
  readonly withMail?: boolean | undefined;
}

export interface StartedTransfer {
  readonly withdrawalRequest: number;
  readonly depositRequest: number;
  readonly transactionId: string;
  readonly position: OutboxPosition;
}

export interface RequestedTransfer extends StartedTransfer {
  readonly kind: 'requested';
}

/**
 * Listed as a withdrawal of the sender and a deposit of the receiver with the same transaction ID.
 */
export function requestTransfer(
  connection: Connection,
  request: TransferRequest,
): Promise<RequestedTransfer | Refused<'user_not_found' | 'signature_replayed'>> {
  const { receiver, sender } = request;
  return inTransaction(connection, async () => {
    if (!(await lockFamilies(connection, [sender, receiver]))) return new Refused('user_not_found');
    const started = await startTransfer(connection, request);
    return started instanceof Refused ? started : { kind: 'requested', ...started };
  });
}

/** Inserts the rows and the command of a transfer, in a transaction that has locked both users. */
export async function startTransfer(
  connection: Connection,
  request: TransferRequest,
): Promise<StartedTransfer | Refused<'signature_replayed'>> {
  const { actor, amountAtoms, asset, by = 'operator', description, receiver, sender } = request;
  const { withMail } = request;
  const [sending, receiving] = [
    beginning(WITHDRAWALS, 'execute', by),
    beginning(DEPOSITS, 'receive', by),
  ];
  const transactionId = randomUUID();
  const kind = 'transfer';
  const of = {
    kind,
    asset,
    amountAtoms,
    description,
    transactionId,
    withMail,
    address: kind,
  } as const;
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
  if (withdrawalRequest === undefined) return new Refused('signature_replayed');
  await connection.query(
    'update withdrawal_requests set actor_id = $2, session_id = $3 where id = $1',
    [withdrawalRequest, actor ?? null, request.session ?? 0],
  );
  const row = { ...of, state: receiving.to, user: receiver, cause: null };
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
  /** Transaction ID of the sending side. */
  readonly transactionId: string;
  readonly network: string | null;
  readonly address: string;
}

/**
 * Inserts the receiving side of a transfer whose sending side exists. The caller's transaction
 * appends the command for both.
 */
export async function addReceivedTransfer(
  connection: Connection,
  received: ReceivedTransfer,
): Promise<number> {
  const { to: state } = beginning(DEPOSITS, 'receive', 'user');
  const row = { ...received, kind: 'transfer', cause: null, state } as const;
  const id = await insertDepositRequest(connection, row);
  if (id === undefined) throw new Error(`transaction ${received.transactionId} exists already`);
  return id;
}

type DepositKind = 'deposit' | 'mint' | 'transfer';

export interface NewDepositRequest
  extends Omit<DepositRequest, 'by' | 'isChainCoin' | 'isPending' | 'output'> {
  readonly kind: DepositKind;
  readonly state: DepositState;
  readonly transactionId: string;
  /** Null for a transfer, and for a deposit that was only announced by its user. */
  readonly cause: string | null;
}

/** Returns undefined if a row has the same cause. */
export async function insertDepositRequest(
  connection: Connection,
  request: NewDepositRequest,
): Promise<number | undefined> {
  const { asset } = request;
  if (await isLostCredit(connection, request)) return undefined;
  const { rows } = await connection.query(
    `insert into deposit_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
       fee_atoms, address, network, transaction_id, cause, state, description, with_mail)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict (asset_id, cause) do nothing
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
      request.cause,
      request.state,
      request.description ?? '',
      request.withMail ?? null,
    ],
  );
  return rows.length === 0 ? undefined : Number(rows[0].id);
}

/**
 * Whether the transaction was credited by a command known only from the log. A report with the same
 * user and amount is that credit: its row gets the cause, which frees the other outputs.
 */
async function isLostCredit(connection: Connection, request: NewDepositRequest): Promise<boolean> {
  const { amountAtoms, asset, cause, network = null, transactionId, user } = request;
  if (cause === null || request.state === 'completed') return false;
  const { rows } = await connection.query(
    `select id, user_id = $3 and amount_atoms = $4 as is_same,
       exists (select from deposit_requests o where o.asset_id = $1 and o.cause = $5) as is_known
     from deposit_requests
     where asset_id = $1 and cause like '*/%' and starts_with(cause, $2)
     order by id for update`,
    [asset.id, lostPrefixOf(transactionId), user, amountAtoms, cause],
  );
  const same = rows.find(({ is_known, is_same }) => is_same && !is_known);
  if (same !== undefined) {
    await connection.query(
      'update deposit_requests set cause = $2, network = $3, address = $4 where id = $1',
      [same.id, cause, network, request.address ?? ''],
    );
  }
  return rows.length > 0;
}

/** Returns whether the row with the same cause failed; only then can it be credited again. */
async function refuseRepeated(
  connection: Connection,
  { asset, cause }: Pick<NewDepositRequest, 'asset' | 'cause'>,
): Promise<Refused<DepositRefusal>> {
  const { rows } = await connection.query(
    `select id from deposit_requests where asset_id = $1 and cause = $2 and state = any($3)`,
    [asset.id, cause, DEPOSITS.failedStates],
  );
  if (rows.length === 0) return new Refused('transaction_id_used');
  return new Refused('transaction_failed_before', { id: Number(rows[0].id) });
}
