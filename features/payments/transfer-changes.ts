// Changes of deposits and withdrawals: one row for every state that a request reached. The database
// writes them together with the change. The dispatcher publishes each at least once; the notifier
// sends emails about them. Rows of one request are in order, because the next change waits for the
// lock on the request until the previous one is committed.

import { type Atoms, decimalFromAtoms, type UserId } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import { DEPOSITS } from './deposits/states.ts';
import type { RequestState, RequestType } from './request-lists.ts';
import { WITHDRAWALS } from './withdrawals/states.ts';

export interface TransferChange {
  /** Increases with each change of a request. */
  readonly id: number;
  readonly type: RequestType;
  readonly request: number;
  readonly kind: 'withdrawal' | 'deposit' | 'mint' | 'burn' | 'transfer';
  readonly user: UserId;
  /** State that this change reached; the request might have moved since. */
  readonly state: RequestState;
  readonly changedAt: Date;
  readonly createdAt: Date;
  readonly currency: string;
  /** Decimals. */
  readonly amount: string;
  readonly fee: string;
  readonly feeCurrency: string;
  readonly address: string;
  readonly network: string | null;
  readonly transactionId: string;
  readonly description: string;
}

/** The four states of a transfer known to existing clients. */
export type TransferStatus = 'PENDING' | 'COMPLETED' | 'REJECTED' | 'DISMISSED';

/** A request in release is still pending. */
export function statusOf({ state, type }: Pick<TransferChange, 'state' | 'type'>): TransferStatus {
  const machine = type === 'deposit' ? DEPOSITS : WITHDRAWALS;
  const { phase, wire } = machine.states[state as never] as (typeof WITHDRAWALS.states)['opening'];
  if (phase !== 'ended') return 'PENDING';
  if (wire.includes('status')) return 'COMPLETED';
  return wire.includes('rejected') ? 'REJECTED' : 'DISMISSED';
}

/** Columns of a change `c` and its request, `w` or `d`. */
export const CHANGE_COLUMNS = `
  c.id, c.state, c.changed_at, c.user_id,
  case when w.id is null then 'deposit' else 'withdrawal' end as type,
  coalesce(w.id, d.id) as request, coalesce(w.kind, d.kind) as kind,
  coalesce(w.created_at, d.created_at) as created_at,
  coalesce(w.currency, d.currency) as currency, coalesce(w.scale, d.scale) as scale,
  coalesce(w.amount_atoms, d.amount_atoms) as amount_atoms,
  coalesce(w.fee_atoms, d.fee_atoms) as fee_atoms,
  coalesce(w.fee_currency, d.currency) as fee_currency,
  coalesce(w.fee_scale, d.scale) as fee_scale,
  coalesce(w.address, d.address) as address, coalesce(w.network, d.network) as network,
  coalesce(w.transaction_id, d.transaction_id) as transaction_id,
  coalesce(w.description, d.description) as description`;

export const CHANGE_REQUESTS = `
  left join withdrawal_requests w on w.id = c.withdrawal_request
  left join deposit_requests d on d.id = c.deposit_request`;

/** Returns the oldest unpublished changes. */
export async function readUnpublishedChanges(
  statements: Statements,
  limit: number,
): Promise<TransferChange[]> {
  const { rows } = await statements.query(
    `select ${CHANGE_COLUMNS}
     from (
       select * from transfer_changes where published_at is null order by id limit $1
     ) c ${CHANGE_REQUESTS}
     order by c.id`,
    [limit],
  );
  return rows.map(changeOf);
}

export async function markChangesPublished(
  statements: Statements,
  changes: readonly TransferChange[],
): Promise<void> {
  await statements.query('update transfer_changes set published_at = now() where id = any($1)', [
    changes.map(({ id }) => id),
  ]);
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function changeOf(row: any): TransferChange {
  return {
    id: Number(row.id),
    type: row.type,
    request: Number(row.request),
    kind: row.kind,
    user: Number(row.user_id) as UserId,
    state: row.state,
    changedAt: row.changed_at,
    createdAt: row.created_at,
    currency: row.currency,
    amount: decimalFromAtoms(BigInt(row.amount_atoms) as Atoms, Number(row.scale)),
    fee: decimalFromAtoms(BigInt(row.fee_atoms) as Atoms, Number(row.fee_scale)),
    feeCurrency: row.fee_currency,
    address: row.address,
    network: row.network,
    transactionId: row.transaction_id,
    description: row.description,
  };
}
