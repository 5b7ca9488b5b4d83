// A user's timeline: one list of all records about the account, newest first, merged from many
// tables. Each table supplies its newest rows before the cursor from an index. Orders and trades
// have separate lists. Personal values must not be copied: rows are only named.

import { type Atoms, decimalFromAtoms, type UserId } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import type { TimelineType } from './api/console.ts';

export interface TimelineEntry {
  readonly at: Date;
  readonly type: TimelineType;
  /** For example `success`, `completed` or `user.freeze`. */
  readonly event: string;
  /** Row ID in the table for this type. */
  readonly id: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly cursor: string;
}

export interface TimelinePage {
  readonly user: UserId;
  readonly types: ReadonlySet<TimelineType>;
  /** Cursor: only entries after it, which are older. */
  readonly before?: TimelineCursor | undefined;
  readonly limit: number;
}

export interface TimelineCursor {
  /** ISO 8601 with microseconds. */
  readonly at: string;
  readonly source: number;
  readonly key: string;
}

interface Source {
  readonly type: TimelineType;
  readonly from: string;
  readonly at: string;
  /** Unique among the source's rows with the same time. */
  readonly key: string;
  readonly event: string;
  /** Arguments of jsonb_build_object. */
  readonly details: string;
  readonly id?: string;
}

const TRANSFER_DETAILS = `'kind', r.kind, 'amount', r.amount_atoms::text, 'scale', r.scale,
  'currency', r.currency, 'network', r.network`;
const KEY_KINDS = `('api_key_changed', 'api_key_revoked')`;

/** Each has an index that ends in the time, or few rows per user. `$1` is the user. */
const SOURCES: readonly Source[] = [
  {
    type: 'account',
    from: 'users t where t.id = $1',
    at: 't.created_at',
    key: 't.id',
    event: `'signed_up'`,
    details: `'kind', t.kind`,
  },
  {
    type: 'account',
    from: `users t where t.id = $1 and t.state not in ('active', 'unverified')`,
    at: 't.state_since',
    key: 't.id',
    event: 't.state',
    details: '',
  },
  {
    type: 'login',
    from: 'logins t where t.user_id = $1',
    at: 't.created_at',
    key: 't.id',
    event: 't.outcome',
    details: `'ip', t.ip, 'country', t.country, 'device', t.user_agent, 'device_id', t.device_id`,
  },
  {
    type: 'device',
    from: 'devices t where t.user_id = $1',
    at: 't.first_seen_at',
    key: 't.id',
    event: `'first_seen'`,
    details: `'country', t.country, 'device', t.user_agent`,
  },
  {
    type: 'device',
    from: 'devices t where t.user_id = $1 and t.revoked_at is not null',
    at: 't.revoked_at',
    key: 't.id',
    event: `'revoked'`,
    details: `'country', t.country, 'device', t.user_agent`,
  },
  {
    type: 'session',
    from: 'sessions t where t.user_id = $1 and t.revoked_at is not null',
    at: 't.revoked_at',
    key: 't.id',
    event: `'ended'`,
    details: `'kind', t.kind, 'reason', t.revoked_reason`,
  },
  {
    type: 'security',
    from: `security_changes t where t.user_id = $1 and t.kind not like 'api\\_key\\_%'`,
    at: 't.at',
    key: 't.id',
    event: 't.kind',
    details: '',
  },
  {
    type: 'api_key',
    from: 'api_keys t where t.user_id = $1',
    at: 't.created_at',
    key: 't.id',
    event: `'created'`,
    details: `'can_read', t.can_read, 'can_trade', t.can_trade, 'can_withdraw', t.can_withdraw`,
  },
  {
    type: 'api_key',
    from: `security_changes t where t.user_id = $1 and t.kind in ${KEY_KINDS}`,
    at: 't.at',
    key: 't.id',
    event: `replace(t.kind, 'api_key_', '')`,
    details: '',
  },
  {
    type: 'bank_account',
    from: 'bank_accounts t where t.user_id = $1 and t.removed_at is null',
    at: 't.created_at',
    key: `('x' || t.id)::bit(64)::bigint`,
    event: `'added'`,
    details: `'state', t.status`,
    id: 't.id',
  },
  {
    type: 'bank_account',
    from: `bank_accounts t where t.user_id = $1 and t.removed_at is null
      and t.decided_at is not null`,
    at: 't.decided_at',
    key: `('x' || t.id)::bit(64)::bigint`,
    event: 't.status',
    details: `'operator_id', t.decided_by`,
    id: 't.id',
  },
  {
    type: 'payment_detail',
    from: 'payment_details t where t.user_id = $1',
    at: 't.created_at',
    key: 't.id',
    event: `'added'`,
    details: `'state', t.status`,
  },
  {
    type: 'address_book',
    from: 'address_book t where t.user_id = $1',
    at: 't.created_at',
    key: 't.id',
    event: `'added'`,
    details: `'currency', t.currency, 'network', t.network`,
  },
  {
    type: 'address_book',
    from: 'address_book t where t.user_id = $1 and t.removed_at is not null',
    at: 't.removed_at',
    key: 't.id',
    event: `'removed'`,
    details: `'currency', t.currency, 'network', t.network`,
  },
  {
    type: 'deposit',
    from: `transfer_changes t join deposit_requests r on r.id = t.deposit_request
      where t.user_id = $1 and t.deposit_request is not null`,
    at: 't.changed_at',
    key: 't.id',
    event: 't.state',
    details: TRANSFER_DETAILS,
    id: 'r.id',
  },
  {
    type: 'withdrawal',
    from: `transfer_changes t join withdrawal_requests r on r.id = t.withdrawal_request
      where t.user_id = $1 and t.withdrawal_request is not null`,
    at: 't.changed_at',
    key: 't.id',
    event: 't.state',
    details: TRANSFER_DETAILS,
    id: 'r.id',
  },
  {
    type: 'stake',
    from: 'stakes t join stake_pools r on r.id = t.pool_id where t.user_id = $1',
    at: 't.created_at',
    key: 't.id',
    event: `'opened'`,
    details: `'pool_id', t.pool_id, 'amount', t.principal_atoms::text, 'scale', r.scale,
      'currency', r.currency`,
  },
  {
    type: 'stake',
    from: `stakes t join stake_pools r on r.id = t.pool_id
      where t.user_id = $1 and t.unstaked_at is not null`,
    at: 't.unstaked_at',
    key: 't.id',
    event: `'unstaked'`,
    details: `'pool_id', t.pool_id, 'amount', t.principal_atoms::text, 'scale', r.scale,
      'currency', r.currency`,
  },
  {
    type: 'operator',
    // A reveal has its own type.
    from: `audit_entries t where t.subject_id = $1 and t.act <> 'people.reveal'`,
    at: 't.at',
    key: 't.seq',
    event: 't.act',
    details: `'operator_id', t.actor_id, 'object', t.object, 'approval_id', t.approval_id`,
  },
  {
    type: 'reveal',
    from: 'reveals t where t.subject_id = $1',
    at: 't.created_at',
    key: 't.id',
    event: `coalesce(t.verdict, 'not_reviewed')`,
    details: `'operator_id', t.operator_id, 'fields', t.fields`,
  },
  {
    type: 'mail',
    from: 'mail_outbox t where t.user_id = $1',
    at: 't.created_at',
    key: 't.id',
    event: 't.kind',
    details: `'state', t.state`,
  },
];

const FIRST: TimelineCursor = { at: 'infinity', source: SOURCES.length, key: '0' };

export async function readTimeline(
  statements: Statements,
  { before = FIRST, limit, types, user }: TimelinePage,
): Promise<TimelineEntry[]> {
  const selects = SOURCES.flatMap((source, number) =>
    types.has(source.type) ? [selectOf(source, number)] : [],
  );
  if (selects.length === 0) return [];
  const { rows } = await statements.query(
    `select *, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at_text
     from (${selects.join(' union all ')}) merged
     order by at desc, source desc, key desc limit $5`,
    [user, before.at, before.source, before.key, limit],
  );
  return rows.map(entryOf);
}

/** Returns undefined if the text is not a cursor. */
export function parseCursor(text: string): TimelineCursor | undefined {
  const found = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_(\d{1,2})_(-?\d{1,19})$/.exec(text);
  if (found === null || Number.isNaN(Date.parse(found[1]))) return undefined;
  const [, at, source, key] = found;
  return BigInt.asIntN(64, BigInt(key)) === BigInt(key)
    ? { at, source: Number(source), key }
    : undefined;
}

/** `$2`, `$3` and `$4` are the cursor, `$5` is the limit. Equal times are ordered by the source. */
function selectOf({ at, details, event, from, id, key, type }: Source, number: number): string {
  return `(select ${at} as at, ${number} as source, ${key} as key, '${type}' as type,
      ${event} as event, ${id ?? key}::text as id, jsonb_build_object(${details}) as details
    from ${from} and ${at} <= $2::timestamptz
      and (${at} < $2::timestamptz or $3::int > ${number}
        or ($3::int = ${number} and ${key} < $4::bigint))
    order by ${at} desc, ${key} desc limit $5)`;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function entryOf(row: any): TimelineEntry {
  const { amount, scale, ...details } = row.details;
  return {
    at: row.at,
    type: row.type,
    event: row.event,
    id: row.id,
    details: {
      ...details,
      ...(amount !== undefined && {
        amount: decimalFromAtoms(BigInt(amount) as Atoms, Number(scale)),
      }),
    },
    cursor: `${row.at_text}_${row.source}_${row.key}`,
  };
}
