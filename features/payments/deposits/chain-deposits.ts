// Deposits that a chain watcher verified on a chain: announces, credits, submits for review or
// drops the request for a cause. The caller's transaction has locked the users' families. Never
// decides whether a deposit is final or who owns an address.

import type { Atoms, UserId } from '../../../core/money/index.ts';
import type { Connection } from '../../../infra/postgres/index.ts';
import { OUTBOX_CHANNELS } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { causeOf } from '../causes.ts';
import {
  appendFor,
  beginning,
  type LockedRequest,
  lockRequest,
  moveRequest,
} from '../request-moves.ts';
import type { RequestedAsset } from '../withdrawals/requests.ts';
import { creditCommand, creditOf, insertDepositRequest } from './requests.ts';
import { DEPOSITS, type DepositState } from './states.ts';

export interface ChainDeposit {
  readonly user: UserId;
  readonly asset: RequestedAsset;
  readonly amountAtoms: Atoms;
  readonly network: string;
  readonly address: string;
  readonly transactionId: string;
  /** Position of the payment in its transaction, in digits. */
  readonly output: string;
}

/** announce: not final yet. submit: final, and an operator reviews it. */
export type ChainMove = 'announce' | 'credit' | 'submit';

/**
 * Returns the ID of the request. Its amount becomes the given one, because a deposit can also
 * credit earlier small ones. Rejects a cause that was credited already, or that has another user.
 */
export async function moveChainDeposit(
  connection: Connection,
  deposit: ChainDeposit,
  move: ChainMove,
): Promise<number | Refused<'transaction_id_used' | 'deposit_ended'>> {
  const found = await lockCause(connection, deposit);
  if (found === undefined) return insertMoved(connection, deposit, move);
  const { id, row, state } = found;
  if (row.kind !== 'deposit' || Number(row.user_id) !== deposit.user) {
    return new Refused('transaction_id_used');
  }
  if (move === 'announce') return id;
  if (DEPOSITS.find(state, move, 'watcher') === undefined) {
    return new Refused(
      DEPOSITS.states[state].phase === 'open' ? 'deposit_ended' : 'transaction_id_used',
    );
  }
  await connection.query('update deposit_requests set amount_atoms = $2 where id = $1', [
    id,
    deposit.amountAtoms,
  ]);
  const changed = await moveRequest(connection, DEPOSITS, found, {
    move,
    by: 'watcher',
    channel: OUTBOX_CHANNELS.deposits,
    command: creditOf({ ...found.row, amount_atoms: deposit.amountAtoms }, deposit.transactionId),
  });
  if (changed instanceof Refused) throw new Error(`deposit ${id} was not locked`);
  return id;
}

/** Cancels the request of a deposit that the chain dropped, if it is still pending. */
export async function dropChainDeposit(connection: Connection, id: number): Promise<void> {
  const found = await lockRequest(connection, DEPOSITS, { id });
  if (found instanceof Refused) throw new Error(`deposit request ${id} does not exist`);
  if (DEPOSITS.find(found.state, 'cancel', 'watcher') === undefined) return;
  const moved = await moveRequest(connection, DEPOSITS, found, {
    move: 'cancel',
    by: 'watcher',
    channel: OUTBOX_CHANNELS.deposits,
    command: creditOf(found.row, found.row.transaction_id),
  });
  if (moved instanceof Refused) throw new Error(`deposit request ${id} was not canceled`);
}

async function insertMoved(
  connection: Connection,
  deposit: ChainDeposit,
  move: ChainMove,
): Promise<number | Refused<'transaction_id_used'>> {
  const arrow = beginning(DEPOSITS, move, 'watcher');
  const cause = causeOf(deposit);
  const row = { ...deposit, kind: 'deposit', cause, state: arrow.to } as const;
  const id = await insertDepositRequest(connection, row);
  // The log has a credit of this transaction that the registry had lost.
  if (id === undefined) return new Refused('transaction_id_used');
  if (move === 'credit') {
    await appendFor(connection, {
      arrows: [arrow],
      depositRequest: id,
      channel: OUTBOX_CHANNELS.deposits,
      command: creditCommand({ ...row, asset: deposit.asset.id }),
    });
  }
  return id;
}

async function lockCause(
  connection: Connection,
  deposit: ChainDeposit,
): Promise<LockedRequest<DepositState> | undefined> {
  const { rows } = await connection.query(
    'select * from deposit_requests where asset_id = $1 and cause = $2 for update',
    [deposit.asset.id, causeOf(deposit)],
  );
  const [row] = rows;
  return row && { id: Number(row.id), state: row.state, row };
}
