// Users' payment details, for trades between users and for fiat. Name, label and details are sealed
// with the user's key. Details for fiat need an operator's verification again after every change.

import type { UserId } from '../../../core/money/index.ts';
import {
  type Connection,
  idOf,
  inTransaction,
  type Statements,
} from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  findPersonalKey,
  lockPersonalKey,
  type PersonalKey,
  keyOf as personalKeyOf,
} from '../../accounts/index.ts';
import type { VerificationStatus } from '../api/bank-account.ts';

export interface PaymentContent {
  readonly name: string;
  readonly label: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export interface PaymentDetail extends PaymentContent {
  readonly id: number;
  readonly user: UserId;
  readonly isP2p: boolean;
  readonly isFiatControl: boolean;
  readonly status: VerificationStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Operator who last wrote it; null if the user did. */
  readonly writtenBy: UserId | null;
}

export interface NewPaymentDetail extends PaymentContent {
  readonly isP2p: boolean;
  readonly isFiatControl: boolean;
}

export type PaymentRefusal =
  | 'account_deactivated'
  | 'payment_details_too_many'
  | 'payment_detail_unknown';

export const PAYMENT_DETAILS_MAX = 20;

/** Undefined fields do not filter. */
export interface PaymentFilter {
  readonly id?: number | undefined;
  readonly isP2p?: boolean | undefined;
  readonly isFiatControl?: boolean | undefined;
  readonly status?: VerificationStatus | undefined;
}

/** Returns details newest first. A user has few of them, so there is no paging. */
export async function listPaymentDetails(
  statements: Statements,
  vault: Vault,
  user: UserId,
  { id, isFiatControl, isP2p, status }: PaymentFilter = {},
): Promise<PaymentDetail[]> {
  const { rows } = await statements.query(
    `select * from payment_details
     where user_id = $1 and ($2::bigint is null or id = $2) and ($3::boolean is null or is_p2p = $3)
       and ($4::boolean is null or is_fiat_control = $4) and ($5::text is null or status = $5)
     order by id desc limit ${PAYMENT_DETAILS_MAX}`,
    [user, id ?? null, isP2p ?? null, isFiatControl ?? null, status ?? null],
  );
  if (rows.length === 0) return [];
  const key = await findPersonalKey(statements, vault, user);
  return key === undefined ? [] : rows.map((row) => detailOf(key, row));
}

/** Returns users with a detail pending verification, longest wait first. */
export async function listUsersWithPendingPayments(
  statements: Statements,
  { limit }: { readonly limit: number },
): Promise<UserId[]> {
  const { rows } = await statements.query(
    `select user_id from payment_details where status = 'pending'
     order by updated_at, id limit $1`,
    [limit],
  );
  return [...new Set(rows.map(({ user_id }) => idOf<UserId>(user_id)))];
}

export function addPaymentDetail(
  connection: Connection,
  vault: Vault,
  user: UserId,
  detail: NewPaymentDetail,
): Promise<PaymentDetail | Refused<PaymentRefusal>> {
  return inTransaction(connection, () => insertPaymentDetail(connection, vault, user, detail));
}

/** Undefined fields keep their value. */
export function changePaymentDetail(
  connection: Connection,
  vault: Vault,
  user: UserId,
  change: { readonly id: number } & Partial<NewPaymentDetail>,
): Promise<PaymentDetail | Refused<PaymentRefusal>> {
  return inTransaction(connection, () => updatePaymentDetail(connection, vault, user, change));
}

/** Absent if the owner writes. */
interface DetailDecision {
  readonly status?: VerificationStatus;
  readonly operator?: UserId;
}

/** Runs in the caller's transaction. A status is an operator's decision. */
export async function insertPaymentDetail(
  connection: Connection,
  vault: Vault,
  user: UserId,
  detail: NewPaymentDetail & DetailDecision,
): Promise<PaymentDetail | Refused<PaymentRefusal>> {
  const key = await lockOwner(connection, vault, user);
  if (key instanceof Refused) return key;
  const counted = await connection.query(
    'select count(*) as live from payment_details where user_id = $1',
    [user],
  );
  if (Number(counted.rows[0].live) >= PAYMENT_DETAILS_MAX) {
    return new Refused('payment_details_too_many', { max: PAYMENT_DETAILS_MAX });
  }
  const { isFiatControl, isP2p, status = statusWithout(isFiatControl) } = detail;
  const { rows } = await connection.query(
    `insert into payment_details (user_id, is_p2p, is_fiat_control, status, sealed, written_by)
     values ($1, $2, $3, $4, '', $5) returning id`,
    [user, isP2p, isFiatControl, status, detail.operator ?? null],
  );
  return store(connection, key, { user, id: idOf(rows[0].id), content: contentOf(detail) });
}

/** Runs in the caller's transaction. A status is an operator's decision. */
export async function updatePaymentDetail(
  connection: Connection,
  vault: Vault,
  user: UserId,
  { id, ...change }: { readonly id: number } & DetailDecision & Partial<NewPaymentDetail>,
): Promise<PaymentDetail | Refused<PaymentRefusal>> {
  const key = await lockOwner(connection, vault, user);
  if (key instanceof Refused) return key;
  const [before] = await listPaymentDetails(connection, vault, user, { id });
  if (before === undefined) return new Refused('payment_detail_unknown');
  const { isFiatControl = before.isFiatControl, isP2p = before.isP2p } = change;
  await connection.query(
    `update payment_details set is_p2p = $2, is_fiat_control = $3, status = $4, written_by = $5
     where id = $1`,
    [
      id,
      isP2p,
      isFiatControl,
      change.status ?? statusWithout(isFiatControl),
      change.operator ?? null,
    ],
  );
  const { details = before.details, label = before.label, name = before.name } = change;
  return store(connection, key, { user, id, content: { name, label, details } });
}

/** Returns false if the user has no such detail. */
export async function removePaymentDetail(
  statements: Statements,
  { id, user }: { readonly user: UserId; readonly id: number },
): Promise<boolean> {
  const { rowCount } = await statements.query(
    'delete from payment_details where id = $1 and user_id = $2',
    [id, user],
  );
  return rowCount === 1;
}

/**
 * Lists details of all users, or of one, newest first. The last two values are limit and offset.
 */
export function paymentDetailList({
  id,
  isFiatControl,
  isNotVerified = false,
  isP2p,
  status,
  user,
}: PaymentFilter & { readonly user?: UserId | undefined; readonly isNotVerified?: boolean }) {
  const matches = `($1::bigint is null or p.user_id = $1) and ($2::bigint is null or p.id = $2)
    and ($3::boolean is null or p.is_p2p = $3)
    and ($4::boolean is null or p.is_fiat_control = $4) and ($5::text is null or p.status = $5)
    ${isNotVerified ? `and p.status <> 'verified'` : ''}`;
  return {
    rows: (order: string) => `
      select p.*, k.kek_id, k.sealed as key from payment_details p
        join personal_keys k on k.user_id = p.user_id and k.sealed is not null
      where ${matches} ${order} limit $6 offset $7`,
    count: `select count(*) from (
      select from payment_details p where ${matches} limit $6) counted`,
    values: [user ?? null, id ?? null, isP2p ?? null, isFiatControl ?? null, status ?? null],
    defaultSort: ['p.id'],
  };
}

/** Converts a row of `paymentDetailList`. */
// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function listedDetailOf(vault: Vault, row: any): PaymentDetail {
  const key = { kek_id: row.kek_id, sealed: row.key };
  return detailOf(personalKeyOf(vault, idOf<UserId>(row.user_id), key), row);
}

/** Verifies or rejects a detail for fiat. The operator is never the owner. */
export async function reviewPaymentDetail(
  statements: Statements,
  decision: {
    readonly user: UserId;
    readonly id: number;
    readonly operator: UserId;
    readonly status: 'verified' | 'rejected';
  },
): Promise<'reviewed' | Refused<'bank_account_own' | 'payment_detail_unknown'>> {
  const { id, operator, status, user } = decision;
  if (operator === user) return new Refused('bank_account_own');
  const { rowCount } = await statements.query(
    `update payment_details set status = $3, updated_at = now()
     where id = $1 and user_id = $2 and is_fiat_control`,
    [id, user, status],
  );
  return rowCount === 1 ? 'reviewed' : new Refused('payment_detail_unknown');
}

/** Details for fiat need verification by an operator. */
function statusWithout(isFiatControl: boolean): VerificationStatus {
  return isFiatControl ? 'pending' : 'empty';
}

async function lockOwner(
  connection: Connection,
  vault: Vault,
  user: UserId,
): Promise<PersonalKey | Refused<'account_deactivated'>> {
  await connection.query('select from users where id = $1 for no key update', [user]);
  const key = await lockPersonalKey(connection, vault, user);
  return typeof key === 'string' ? new Refused('account_deactivated') : key;
}

async function store(
  statements: Statements,
  key: PersonalKey,
  { content, id, user }: { user: UserId; id: number; content: PaymentContent },
): Promise<PaymentDetail> {
  const { rows } = await statements.query(
    'update payment_details set sealed = $2, updated_at = now() where id = $1 returning *',
    [id, key.seal(detailBound(user, id), content)],
  );
  return detailOf(key, rows[0]);
}

function contentOf({ details, label, name }: PaymentContent): PaymentContent {
  return { name, label, details };
}

function detailBound(user: UserId, id: number): string {
  return `payment detail ${user} ${id}`;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function detailOf(key: PersonalKey, row: any): PaymentDetail {
  const [id, user] = [idOf<number>(row.id), idOf<UserId>(row.user_id)];
  return {
    ...(key.open(detailBound(user, id), row.sealed) as PaymentContent),
    id,
    user,
    isP2p: row.is_p2p,
    isFiatControl: row.is_fiat_control,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    writtenBy: row.written_by === null ? null : idOf(row.written_by),
  };
}
