// Compares each request with its last recorded change, and finds changes that were not published or
// not emailed in time.

import type { Check, Place } from './check.ts';

const START: Place = ['0'];

/** A change that is not published and emailed within this time is a discrepancy. */
const TOLD_WITHIN_S = 60;

/** The last recorded change of each request is its state; all changes are published and emailed. */
export const NOTICES: Check = {
  name: 'notices',
  pauses: false,
  async walk({ connection, nowMs, rowsMax }, from = START) {
    const to = `${Number(from[0]) + rowsMax}`;
    const { rows } = await connection.query(NOT_NOTED, [from[0], to]);
    const { rows: late } = await connection.query(NOT_TOLD, [nowMs, TOLD_WITHIN_S]);
    const { rows: walked } = await connection.query(WALKED_REQUESTS, [from[0], to]);
    const [{ compared, newest }] = walked;
    const differences = [...rows, ...late].map(({ currency, expected, found, object }) => ({
      object,
      asset: currency,
      expected,
      found,
    }));
    const next = Number(newest) > Number(to) ? [to] : undefined;
    return { frame: undefined, rows: Number(compared), differences, next };
  },
};

const WALKED_REQUESTS = `
  select greatest((select max(id) from deposit_requests), (select max(id) from withdrawal_requests),
      0) as newest,
    (select count(*) from deposit_requests where id > $1 and id <= $2)
      + (select count(*) from withdrawal_requests where id > $1 and id <= $2) as compared`;

/** Requests older than the table of changes have none. */
const IS_NOT_NOTED = `c.state is distinct from r.state
  and (c.state is not null or r.created_at > (select min(changed_at) from transfer_changes))`;

const NOT_NOTED = `
  select 'deposit ' || r.id as object, r.currency, r.state as expected,
    coalesce(c.state, 'no recorded change') as found
  from deposit_requests r left join lateral (
    select state from transfer_changes where deposit_request = r.id order by id desc limit 1
  ) c on true
  where r.id > $1 and r.id <= $2 and ${IS_NOT_NOTED}
  union all
  select 'withdrawal ' || r.id, r.currency, r.state, coalesce(c.state, 'no recorded change')
  from withdrawal_requests r left join lateral (
    select state from transfer_changes where withdrawal_request = r.id order by id desc limit 1
  ) c on true
  where r.id > $1 and r.id <= $2 and ${IS_NOT_NOTED}`;

const NOT_TOLD = `
  select case when c.deposit_request is null then 'withdrawal ' || c.withdrawal_request
      else 'deposit ' || c.deposit_request end || ' ' || c.state as object,
    null as currency, 'published and mailed within a minute' as expected,
    case when c.published_at is null then 'not published' else 'not mailed' end as found
  from transfer_changes c
  where (c.published_at is null or c.mailed_at is null)
    and c.changed_at < to_timestamp($1 / 1000.0) - $2 * interval '1 second'
  order by c.id limit 100`;
