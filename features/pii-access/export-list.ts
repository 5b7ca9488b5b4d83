// Operators' exports as a list. A file can be found by its hash.

import type { UserId } from '../../core/money/index.ts';
import { idOf } from '../../infra/postgres/index.ts';
import type { JsonObject } from '../audit/index.ts';
import type { UserList } from './user-list.ts';

export interface ExportFilter {
  readonly id?: number | undefined;
  readonly operator?: number | undefined;
  readonly list?: string | undefined;
  readonly state?: string | undefined;
  /** In hexadecimal. */
  readonly sha256?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface ExportRow {
  readonly id: number;
  readonly operator: UserId;
  readonly list: string;
  readonly format: string;
  readonly filters: JsonObject;
  readonly state: string;
  /** Null while rows are sent, or if the gateway stopped before the end. */
  readonly rows: number | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
}

// The planner sees the values, so it drops a null condition.
const MATCHES = `($1::bigint is null or e.id = $1)
  and ($2::bigint is null or e.operator_id = $2)
  and ($3::text is null or e.list = $3)
  and ($4::text is null or e.state = $4)
  and ($5::text is null or e.sha256 = decode($5, 'hex'))
  and ($6::timestamptz is null or e.started_at >= $6)
  and ($7::timestamptz is null or e.started_at < $7)`;

export function exportList(filter: ExportFilter): UserList {
  const { from, id, list, operator, sha256, state, to } = filter;
  const isByTime = from !== undefined || to !== undefined;
  return {
    rows: (order) => `select e.* from exports e where ${MATCHES} ${order} limit $8 offset $9`,
    count: `select count(*) from (select from exports e where ${MATCHES} limit $8) counted`,
    values: [id, operator, list, state, sha256, from, to].map((value) => value ?? null),
    defaultSort: isByTime ? ['e.started_at', 'e.id'] : ['e.id'],
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function exportOfRow(row: any): ExportRow {
  return {
    id: idOf(row.id),
    operator: idOf<UserId>(row.operator_id),
    list: row.list,
    format: row.format,
    filters: row.filters,
    state: row.state,
    rows: row.rows === null ? null : Number(row.rows),
    bytes: row.bytes === null ? null : Number(row.bytes),
    sha256: row.sha256 === null ? null : row.sha256.toString('hex'),
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}
