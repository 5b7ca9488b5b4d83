// Lists of withdrawals and deposits as people asked for them, newest first, with what the projected
// tables say of each. The projection's schema stands in the same database, under a name that the
// caller gives. Every filter goes by an index.

import type { AssetId, Atoms, UserId } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import { assertPlainName } from '../../infra/postgres/index.ts';
import type { RequestRefusal } from './withdrawal-requests.ts';

export type RequestState =
  | 'pending'
  | 'requested'
  | 'opened'
  | 'refused'
  | 'completing'
  | 'completed'
  | 'canceling'
  | 'canceled';

/** One row of either list; the wire's names for its fields are the gateway's affair. */
export interface RequestRow {
  readonly type: 'deposit' | 'withdrawal';
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
  /** Completed: by the request's own state, or already by the log's. */
  readonly isCompleted: boolean;
  readonly dismissed: boolean;
  readonly rejected: boolean;
  readonly processing: boolean;
  readonly waiting: boolean;
  readonly description: string;
  /** Why the engine refused it; null when it did not. */
  readonly refusal: string | null;
  /** The command that opened or credited it; null before. */
  readonly command: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What is undefined does not matter. */
export interface RequestFilter {
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
  /** From this moment on, and before that one. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface RequestPage extends RequestFilter {
  readonly limit: number;
  readonly offset: number;
  /** The projection's. */
  readonly projectionSchema: string;
}

export interface RequestList {
  /** Of all that match; it is not counted beyond REQUESTS_COUNTED_MAX. */
  readonly count: number;
  readonly rows: readonly RequestRow[];
}

/** An operator's list without a filter would count for ever. */
export const REQUESTS_COUNTED_MAX = 100_000;

type Table = 'withdrawal_requests' | 'deposit_requests';

// $1 user, $2 currency, $3 transaction, $4 address, $5 completed, $6 dismissed, $7 rejected,
// $8 processing, $9 waiting, $10 from, $11 to. The planner sees the values, so that what is null
// is no condition to it and a flag finds its index.
const MATCHES = `
  ($1::bigint is null or r.user_id = $1)
  and ($2::text is null or r.currency = $2)
  and ($3::text is null or r.transaction_id = $3)
  and ($4::text is null or r.address = $4)
  and ($5::boolean is null or case when $5 then r.state = 'completed'
    else r.state <> 'completed' end)
  and ($6::boolean is null or r.dismissed = $6)
  and ($7::boolean is null or r.rejected = $7)
  and ($8::boolean is null or r.processing = $8)
  and ($9::boolean is null or r.waiting = $9)
  and ($10::timestamptz is null or r.created_at >= $10)
  and ($11::timestamptz is null or r.created_at < $11)`;

// Numbers are given in the order of time, or nearly, but only a range of times bounds a scan.
const NEWEST_FIRST = 'order by r.id desc';
const NEWEST_OF_RANGE_FIRST = 'order by r.created_at desc, r.id desc';

/** $1 to $11 as above, $12 limit, $13 offset. */
export function pageQuery(table: Table, { byTime = false, schema = 'rialto' } = {}): string {
  const order = byTime ? NEWEST_OF_RANGE_FIRST : NEWEST_FIRST;
  const page = `select r.* from ${table} r where ${MATCHES} ${order} limit $12 offset $13`;
  return `${withProjection(table, page, schema)} ${order}`;
}

/** The rows with their user's address, and with what the projected tables say of them. */
function withProjection(table: Table, rows: string, schema: string): string {
  assertPlainName(schema);
  return table === 'deposit_requests'
    ? `select r.*, u.email, d.command is not null as is_projected
       from (${rows}) r join users u on u.id = r.user_id
       left join ${schema}.deposits d on d.command = r.command`
    : `select r.*, u.email, coalesce(w.status = 'completed', false) as is_projected
       from (${rows}) r join users u on u.id = r.user_id
       left join ${schema}.withdrawals w on w.command = r.command`;
}

/** $1 to $11 as above, $12 the most to count. The order keeps the planner to the page's index. */
export function countQuery(table: Table, { byTime = false } = {}): string {
  const order = byTime ? NEWEST_OF_RANGE_FIRST : NEWEST_FIRST;
  return `select count(*) from (select from ${table} r where ${MATCHES} ${order} limit $12) c`;
}

export function listWithdrawalRequests(
  statements: Statements,
  page: RequestPage,
): Promise<RequestList> {
  return list(statements, 'withdrawal_requests', page);
}

export function listDepositRequests(
  statements: Statements,
  page: RequestPage,
): Promise<RequestList> {
  return list(statements, 'deposit_requests', page);
}

/** One of them by its number; undefined when there is none. */
export async function findRequest(
  statements: Statements,
  { id, type }: { readonly id: number; readonly type: RequestRow['type'] },
  projectionSchema: string,
): Promise<RequestRow | undefined> {
  const table = type === 'deposit' ? 'deposit_requests' : 'withdrawal_requests';
  const one = `select r.* from ${table} r where r.id = $1`;
  const { rows } = await statements.query(withProjection(table, one, projectionSchema), [id]);
  return rows.map((row) => requestOf(type, row))[0];
}

async function list(statements: Statements, table: Table, page: RequestPage): Promise<RequestList> {
  const byTime = page.from !== undefined || page.to !== undefined;
  const filter = filterValues(page);
  const text = pageQuery(table, { byTime, schema: page.projectionSchema });
  const { rows } = await statements.query(text, [...filter, page.limit, page.offset]);
  const counted = await statements.query(countQuery(table, { byTime }), [
    ...filter,
    REQUESTS_COUNTED_MAX,
  ]);
  const type = table === 'deposit_requests' ? 'deposit' : 'withdrawal';
  return { count: Number(counted.rows[0].count), rows: rows.map((row) => requestOf(type, row)) };
}

/** $1 to $11 of the queries. */
export function filterValues(filter: RequestFilter): unknown[] {
  const { address, currency, dismissed, from, processing, rejected } = filter;
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
    // As moments: as texts, PostgreSQL does not know the year 0.
    from,
    to,
  ].map((value) => value ?? null);
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function requestOf(type: RequestRow['type'], row: any): RequestRow {
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
    // A deposit's fee is in what was deposited.
    feeCurrency: row.fee_currency ?? row.currency,
    feeScale: Number(row.fee_scale ?? row.scale),
    feeAtoms: BigInt(row.fee_atoms) as Atoms,
    address: row.address,
    network: row.network,
    transactionId: row.transaction_id,
    state: row.state,
    isCompleted: row.state === 'completed' || row.is_projected,
    dismissed: row.dismissed,
    rejected: row.rejected,
    processing: row.processing,
    waiting: row.waiting,
    description: row.description,
    refusal: row.refusal,
    command: row.command === null ? null : Number(row.command),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export interface RequestMarks {
  readonly processing?: boolean | undefined;
  readonly waiting?: boolean | undefined;
  readonly description?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly address?: string | undefined;
}

/** What an operator notes about a request that has not ended. Moves no money. */
export async function markRequest(
  statements: Statements,
  { id, type }: { readonly id: number; readonly type: RequestRow['type'] },
  { address, description, processing, transactionId, waiting }: RequestMarks,
): Promise<'marked' | RequestRefusal> {
  const table = type === 'deposit' ? 'deposit_requests' : 'withdrawal_requests';
  const marking = statements.query(
    `update ${table} set processing = coalesce($2, processing), waiting = coalesce($3, waiting),
       description = coalesce($4, description), transaction_id = coalesce($5, transaction_id),
       address = coalesce($6, address), updated_at = now()
     where id = $1 and state in ('pending', 'opened') returning id`,
    [id, ...[processing, waiting, description, transactionId, address].map((one) => one ?? null)],
  );
  const marked = await marking.catch((fault: { constraint?: string }) => {
    if (fault.constraint !== 'deposit_requests_by_cause') throw fault;
    return undefined;
  });
  if (marked === undefined) return 'transaction_already_credited';
  if (marked.rows.length === 1) return 'marked';
  const found = await statements.query(`select state from ${table} where id = $1`, [id]);
  if (found.rows.length === 0) return 'request_must_exist';
  const isUnderWay = ['requested', 'completing', 'canceling'].includes(found.rows[0].state);
  return isUnderWay ? 'request_is_under_way' : 'request_has_ended';
}
