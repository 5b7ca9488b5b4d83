// The list of operators: users with a role.

import { idOf } from '../../../infra/postgres/index.ts';
import {
  answerList,
  type Call,
  type Dependencies,
  momentFilter,
  type Row,
} from '../../../platform/http/index.ts';
import { type OperatorRow, type Routes, timeText } from '../../../protocol/index.ts';

const FOUND = `
  from users u where u.role is not null and ($1::text is null or lower(u.email) = lower($1))
    and ($2::timestamptz is null or u.created_at >= $2)
    and ($3::timestamptz is null or u.created_at <= $3)`;

export function listOperators(
  call: Call<Routes['getOperators']>,
  { clock, exchange, registry: pool }: Dependencies,
) {
  const { email, end_date: end, start_date: start } = call.query;
  return answerList(call, {
    pool,
    clock,
    values: [email?.trim() ?? null, momentFilter(start) ?? null, momentFilter(end) ?? null],
    rows: (order) => `
      select u.*, exists (
        select from totp_secrets t where t.user_id = u.id and t.state = 'active'
      ) as otp_enabled ${FOUND} ${order} limit $4 offset $5`,
    count: `select count(*) from (select ${FOUND} limit $4) as counted`,
    sortColumns: { id: 'u.id', created_at: 'u.created_at', email: 'u.email', role: 'u.role' },
    defaultSort: ['u.id'],
    write: (row) => JSON.stringify(operatorJson(row)),
    fileName: `${exchange.name}-operators`,
  });
}

function operatorJson(row: Row): OperatorRow {
  const time = (at: Date) => timeText(at.getTime());
  return {
    id: idOf(row.id),
    email: row.email,
    username: row.username,
    role: row.role,
    activated: row.state === 'active',
    otp_enabled: row.otp_enabled,
    role_since: row.role_since === null ? null : time(row.role_since),
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
  };
}
