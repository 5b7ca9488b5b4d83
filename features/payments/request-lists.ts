// Lists of withdrawal and deposit requests, and operators' notes on them. A list statement is a
// function of its order. An index serves every filter. The projection's schema is in the same
// database; the caller passes its name.

import type { AssetId, Atoms, UserId } from '../../core/money/index.ts';
import { assertPlainName, idOf, type Statements } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { keyOf } from '../accounts/index.ts';
import { type BankFields, openBankFields } from './banks/bank-accounts.ts';
import { DEPOSITS, type DepositState } from './deposits/states.ts';
import type { PolicyLine } from './policy/withdrawal-policy.ts';
import { MARKS, type RequestRefusal } from './request-moves.ts';
import type { StateMachine, WireFlag } from './state-machine.ts';
import { WITHDRAWALS, type WithdrawalState } from './withdrawals/states.ts';

export type RequestState = WithdrawalState | DepositState;
export type RequestType = 'deposit' | 'withdrawal';

/** One row of either list. The gateway maps the fields to their wire names. */
export interface RequestRow {
  readonly type: RequestType;
  readonly id: number;
  readonly kind: 'withdrawal' | 'deposit' | 'mint' | 'burn' | 'transfer';
  readonly user: UserId;
  readonly email: string;
  readonly asset: AssetId;
  readonly currency: string;
  readonly scale: number;
  readonly amountAtoms: Atoms;
  readonly feeCurrency: string;
  readonly feeScale: number;
  readonly feeAtoms: Atoms;
  readonly address: string;
  readonly network: string | null;
  readonly transactionId: string;
  readonly state: RequestState;
  /** Completed by the request's own state, or already completed in the projected tables. */
  readonly isCompleted: boolean;
  /** Implied by the state. */
  readonly dismissed: boolean;
  readonly rejected: boolean;
  /** Implied by the state or, for a deposit, marked by an operator. */
  readonly processing: boolean;
  readonly waiting: boolean;
  readonly description: string;
  /** Why the engine rejected the last command; null if it accepted it. */
  readonly refusal: string | null;
  /** Lines of the withdrawal policy; empty if it did not apply. For operators only. */
  readonly policyLines: readonly PolicyLine[];
  /** Number of the command that opened or credited it; null until then. */
  readonly command: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Paying operator; null if unclaimed. */
  readonly claimedBy: UserId | null;
  /** Progress of a deposit that a chain watcher follows and that is not credited yet. */
  readonly chain: { readonly confirmations: number; readonly needed: number } | undefined;
  /** Bank account of a fiat withdrawal at the time of the request; null for all others. */
  readonly bank: SealedBank | null;
}

/** Opened with `openSealedBank`. */
interface SealedBank {
  readonly sealed: Uint8Array;
  /** Columns of the owner's personal key. */
  readonly key: { readonly kek_id: unknown; readonly sealed: unknown };
}

/** Undefined fields do not filter. */
export interface RequestFilter {
  readonly id?: number | undefined;
  readonly user?: UserId | undefined;
  readonly currency?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly address?: string | undefined;
  /** Completed or not. */
  readonly status?: boolean | undefined;
  readonly dismissed?: boolean | undefined;
  readonly rejected?: boolean | undefined;
  readonly processing?: boolean | undefined;
  readonly waiting?: boolean | undefined;
  /** Exact text. */
  readonly description?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

export interface RequestList {
  /** $1 to $13 are `values`, $14 the limit, $15 the offset; `order` is a full `order by …`. */
  rows(order: string): string;
  /** $1 to $13 are `values`, $14 the maximum count. */
  readonly count: string;
  readonly values: readonly unknown[];
  /** Columns of the default order, newest first, which an index serves for this filter. */
  readonly defaultSort: readonly string[];
}

/** `r` is the request's table; sort columns name it. */
export function requestList(
  type: RequestType,
  filter: RequestFilter,
  projectionSchema: string,
): RequestList {
  const { table } = machineOf(type);
  const matches = MATCHES[type];
  // IDs increase with time, but only an index on time limits the scan of a time range.
  const isByTime = filter.from !== undefined || filter.to !== undefined;
  const defaultSort = isByTime ? ['r.created_at', 'r.id'] : ['r.id'];
  // The order makes the planner use the same index as for the page.
  const newestFirst = `order by ${defaultSort.map((column) => `${column} desc`).join(', ')}`;
  return {
    defaultSort,
    rows(order) {
      const page = `select r.* from ${table} r where ${matches} ${order} limit $14 offset $15`;
      return `${withProjection(type, page, projectionSchema)} ${order}`;
    },
    count: `select count(*) from (
      select from ${table} r where ${matches} ${newestFirst} limit $14) c`,
    values: filterValues(filter),
  };
}

// $1 user, $2 currency, $3 transaction, $4 address, $5 completed, $6 dismissed, $7 rejected, $8
// processing, $9 waiting, $10 from, $11 to, $12 description, $13 ID. The planner sees the values,
// so it drops a null condition and uses the partial index of a flag.
const MATCHES: Record<RequestType, string> = {
  deposit: matchesOf(DEPOSITS),
  withdrawal: matchesOf(WITHDRAWALS),
};

function matchesOf<State extends string, Move extends string>(
  machine: StateMachine<State, Move>,
): string {
  return `
  ($1::bigint is null or r.user_id = $1)
  and ($2::text is null or r.currency = $2)
  and ($3::text is null or r.transaction_id = $3)
  and ($4::text is null or r.address = $4)
  and ($5::boolean is null or case when $5 then r.state = 'completed'
    else r.state <> 'completed' end)
  and ${matchesFlag('$6', 'dismissed')}
  and ${matchesFlag('$7', 'rejected')}
  and ${matchesFlag('$8', 'processing')}
  and ${matchesFlag('$9', 'waiting')}
  and ($10::timestamptz is null or r.created_at >= $10)
  and ($11::timestamptz is null or r.created_at < $11)
  and ($12::text is null or (r.description = $12 and r.description <> ''))
  and ($13::bigint is null or r.id = $13)`;

  function matchesFlag($: string, flag: WireFlag): string {
    const marks = MARKS[machine.table].filter((mark) => mark === flag).map((mark) => `r.${mark}`);
    const states = machine.statesWith(flag).map((state) => `'${state}'`);
    const inStates = states.length === 0 ? [] : [`r.state in (${states.join(', ')})`];
    const isSet = [...marks, ...inStates].join(' or ');
    return `(${$}::boolean is null or case when ${$} then ${isSet} else not (${isSet}) end)`;
  }
}

/** Rows with their user's email address, and whether the projected tables have their end. */
function withProjection(type: RequestType, rows: string, schema: string): string {
  assertPlainName(schema);
  return type === 'deposit'
    ? `select r.*, u.email, d.command is not null as is_projected, c.confirmations, c.needed
       from (${rows}) r join users u on u.id = r.user_id
       left join ${schema}.deposits d on d.command = r.command
       left join lateral (
         select n.tip_height - max(cd.height) + 1 as confirmations,
           n.tip_height - n.height + 1 as needed
         from custody_deposits cd join custody_networks n on n.network = cd.network
         where cd.deposit_request = r.id and cd.state <> 'dropped' group by n.network
       ) c on r.state in ('pending', 'in_review', 'crediting')`
    : `select r.*, u.email, coalesce(w.status = 'completed', false) as is_projected,
         k.kek_id as key_kek_id, k.sealed as key_sealed
       from (${rows}) r join users u on u.id = r.user_id
       left join ${schema}.withdrawals w on w.command = r.command
       left join personal_keys k on k.user_id = r.user_id and r.bank_sealed is not null`;
}

function filterValues(filter: RequestFilter): readonly unknown[] {
  const { address, currency, description, dismissed, from, processing, rejected } = filter;
  const { status, to, transactionId, user, waiting } = filter;
  return [
    user,
    currency,
    transactionId,
    address,
    status,
    dismissed,
    rejected,
    processing,
    waiting,
    // Date objects, because PostgreSQL does not parse a text with the year 0.
    from,
    to,
    description,
    filter.id,
  ].map((value) => value ?? null);
}

/** Returns undefined if no request has this ID. */
export async function findRequest(
  statements: Statements,
  { id, type }: { readonly id: number; readonly type: RequestType },
  projectionSchema: string,
): Promise<RequestRow | undefined> {
  const one = `select r.* from ${machineOf(type).table} r where r.id = $1`;
  const { rows } = await statements.query(withProjection(type, one, projectionSchema), [id]);
  return rows.map((row) => requestOf(type, row))[0];
}

/**
 * Returns the IDs of requests that name a transaction. Two are enough to show that it is ambiguous.
 */
export async function findRequestIds(
  statements: Statements,
  named: {
    readonly type: RequestType;
    readonly transactionId: string;
    readonly id?: number | undefined;
  },
): Promise<readonly number[]> {
  const { id, transactionId, type } = named;
  const { rows } = await statements.query(
    `select id from ${machineOf(type).table}
     where transaction_id = $1 and ($2::bigint is null or id = $2) order by id desc limit 2`,
    [transactionId, id ?? null],
  );
  return rows.map(({ id }) => Number(id));
}

export function machineOf(type: RequestType): StateMachine<string, string> {
  return type === 'deposit' ? DEPOSITS : WITHDRAWALS;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function requestOf(type: RequestType, row: any): RequestRow {
  const machine = machineOf(type);
  const shows = (flag: WireFlag) => machine.implies(row.state, flag);
  return {
    type,
    id: Number(row.id),
    kind: row.kind,
    user: Number(row.user_id) as UserId,
    email: row.email,
    asset: Number(row.asset_id) as AssetId,
    currency: row.currency,
    scale: Number(row.scale),
    amountAtoms: BigInt(row.amount_atoms) as Atoms,
    // The fee of a deposit is in the deposited currency.
    feeCurrency: row.fee_currency ?? row.currency,
    feeScale: Number(row.fee_scale ?? row.scale),
    feeAtoms: BigInt(row.fee_atoms) as Atoms,
    address: row.address,
    network: row.network,
    transactionId: row.transaction_id,
    state: row.state,
    isCompleted: shows('status') || row.is_projected,
    dismissed: shows('dismissed'),
    rejected: shows('rejected'),
    processing: shows('processing') || row.processing === true,
    waiting: shows('waiting') || row.waiting === true,
    description: row.description,
    refusal: row.refusal,
    policyLines: row.policy_lines ?? [],
    command: row.command === null ? null : Number(row.command),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    claimedBy: row.claimed_by == null ? null : idOf(row.claimed_by),
    chain:
      row.confirmations == null
        ? undefined
        : { confirmations: Number(row.confirmations), needed: Number(row.needed) },
    bank:
      row.key_sealed == null
        ? null
        : { sealed: row.bank_sealed, key: { kek_id: row.key_kek_id, sealed: row.key_sealed } },
  };
}

/** Returns the bank account fields of a fiat withdrawal at its request, or undefined for others. */
export function openSealedBank(
  vault: Vault,
  { address, bank, user }: Pick<RequestRow, 'address' | 'bank' | 'user'>,
): BankFields | undefined {
  if (bank === null) return undefined;
  const key = keyOf(vault, user, bank.key);
  return openBankFields(key, { user, bank: address, sealed: bank.sealed });
}

export interface RequestMarks {
  /** Deposits only: these flags of a withdrawal are moves. */
  readonly processing?: boolean | undefined;
  readonly waiting?: boolean | undefined;
  readonly description?: string | undefined;
  /** Withdrawals only: a deposit's transaction is part of its cause. */
  readonly transactionId?: string | undefined;
  /** Deposits and burns only: the owner of a withdrawal has confirmed its address. */
  readonly address?: string | undefined;
}

/** Sets an operator's marks on an open request. Never moves money. */
export async function markRequest(
  statements: Statements,
  { id, type }: { readonly id: number; readonly type: RequestType },
  marks: RequestMarks,
): Promise<'marked' | Refused<RequestRefusal>> {
  const { refusals, table } = machineOf(type);
  const { address, description, processing, transactionId, waiting } = marks;
  const flags = { processing, waiting };
  const of = MARKS[table];
  const columns = [...of, 'description', 'transaction_id', 'address'];
  const values = [...of.map((mark) => flags[mark]), description, transactionId, address];
  const sets = columns.map((column, at) => `${column} = coalesce($${at + 3}, ${column})`);
  // A deposit's transaction is part of its cause.
  if (type === 'deposit' && transactionId !== undefined) {
    throw new Error('the transaction of a deposit is changed with changeTransactionIn');
  }
  const marked = await statements.query(
    `update ${table} set ${sets.join(', ')}, updated_at = now()
     where id = $1 and state = any($2) returning id`,
    [id, machineOf(type).statesIn('open'), ...values.map((value) => value ?? null)],
  );
  if (marked.rows.length === 1) return 'marked';
  const found = await statements.query(`select from ${table} where id = $1`, [id]);
  return new Refused(found.rows.length === 0 ? refusals.missing : refusals.notMovable);
}

/** Whether the user has deposits or withdrawals that have not ended. */
export async function hasOpenRequests(
  statements: Statements,
  user: UserId,
): Promise<Readonly<Record<RequestType, boolean>>> {
  const isOpen = (type: RequestType, ended: string) =>
    `exists (select from ${machineOf(type).table} where user_id = $1 and state <> all(${ended}))`;
  const { rows } = await statements.query(
    `select ${isOpen('deposit', '$2')} as deposit, ${isOpen('withdrawal', '$3')} as withdrawal`,
    [user, machineOf('deposit').statesIn('ended'), machineOf('withdrawal').statesIn('ended')],
  );
  return rows[0];
}

const CANCELLABLE_MAX = 1_000;
const CANCELLABLE = WITHDRAWALS.statesIn('open').filter(
  (state) => WITHDRAWALS.find(state, 'cancel', 'user') !== undefined,
);

/** Returns the user's unclaimed withdrawals, oldest first. */
export async function listCancellableWithdrawals(
  statements: Statements,
  user: UserId,
): Promise<number[]> {
  const { rows } = await statements.query(
    `select id from withdrawal_requests
     where user_id = $1 and state = any($2) order by id limit ${CANCELLABLE_MAX}`,
    [user, CANCELLABLE],
  );
  return rows.map(({ id }) => Number(id));
}
