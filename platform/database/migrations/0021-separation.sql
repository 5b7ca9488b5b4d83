-- Separation of services: no service creates or owns an object in a schema that others search, and
-- an audit entry names the commands of its action.

-- ---- Audit entries name their commands ---------------------------------------------------------

-- [{"channel", "sequence", "sha256"}] for money, [{"command", "sha256"}] for other commands; the
-- hash is that of the record. Null for actions without commands and for entries from before.
alter table audit_entries add column commands jsonb;

-- As in the outbox: no statement of a service can choose these.
alter table engine_commands add column written_by text not null default session_user::text;
alter table engine_commands add column written_in xid8 not null default pg_current_xact_id();
-- Why the dispatcher did not send the command.
alter table engine_commands add column voided text;
create index voided_engine_commands on engine_commands (created_at) where voided is not null;

-- Waiting commands from before have no names in the audit. Those that the last release would have
-- sent count as written by the owner of the tables.
update engine_commands set written_by = (
  select pg_get_userbyid(relowner) from pg_class where oid = 'engine_commands'::regclass);
update outbox o set written_by = (
  select pg_get_userbyid(relowner) from pg_class where oid = 'outbox'::regclass)
where state = 'waiting' and written_by like '%\_gateway\_admin' and exists (
  select from audit_entries a left join approval_requests r on r.id = a.approval_id
  where a.written_in = o.written_in and (a.approval_id is null or (r.state = 'executed' and (
    select count(*) from approval_votes v where v.request_id = r.id and v.vote = 'approve'
  ) >= r.needed)));

-- ---- Functions in place of rights --------------------------------------------------------------

-- Creates the partition of a month of logins. Returns false if it exists, or if the default
-- partition has rows of that month.
create function make_login_partition(of_month date) returns boolean language plpgsql as $$
declare
  home constant text := (
    select relnamespace::regnamespace::text from pg_class where oid = 'logins'::regclass);
  begins constant timestamptz := date_trunc('month', of_month::timestamp) at time zone 'UTC';
  ends constant timestamptz :=
    (date_trunc('month', of_month::timestamp) + interval '1 month') at time zone 'UTC';
  name constant text := 'logins_' || to_char(of_month, 'YYYY_MM');
begin
  if to_regclass(format('%s.%I', home, name)) is not null or exists (
    select from logins_default where created_at >= begins and created_at < ends) then
    return false;
  end if;
  execute format('create table if not exists %s.%I partition of %1$s.logins '
    'for values from (%3$L) to (%4$L)', home, name, begins, ends);
  return true;
end
$$;

-- Drops partitions of months before this one, and at most this many rows of the default partition.
-- Returns how many of each. A younger login than this never goes.
create function drop_old_logins(before_month date, rows_max bigint)
returns table (partitions bigint, rows bigint) language plpgsql as $$
declare
  home constant text := (
    select relnamespace::regnamespace::text from pg_class where oid = 'logins'::regclass);
  oldest constant date := least(date_trunc('month', before_month),
    date_trunc('month', now() at time zone 'UTC') - interval '12 months');
  name text;
begin
  partitions := 0;
  for name in
    select relname from pg_inherits join pg_class on oid = inhrelid
    where inhparent = 'logins'::regclass and relname ~ '^logins_\d{4}_\d{2}$'
      and relname < 'logins_' || to_char(oldest, 'YYYY_MM')
  loop
    execute format('drop table %s.%I', home, name);
    partitions := partitions + 1;
  end loop;
  delete from logins_default where ctid in (
    select ctid from logins_default
    where created_at < oldest::timestamp at time zone 'UTC' limit rows_max);
  get diagnostics rows = row_count;
  return next;
end
$$;

-- Cuts the personal values of a closed account out of deposits and withdrawals, which stay with
-- their numbers: texts, the countries of a decision, and the e-mail address in the rows of others.
create function cut_requests_of_closed(of_user bigint) returns void language plpgsql as $$
declare
  cut_email constant text := (select email from users where id = of_user and state = 'closed');
begin
  if cut_email is null then
    raise exception 'user % is not closed', of_user using errcode = 'insufficient_privilege';
  end if;
  update withdrawal_requests set description = '',
    policy_input = case jsonb_typeof(policy_input -> 'session')
      when 'object' then policy_input || jsonb_build_object('session',
        policy_input -> 'session' || '{"country": "", "knownCountries": []}')
      else policy_input end,
    policy_lines = (
      select jsonb_agg(case line ->> 'rule' when 'new_country' then line || '{"facts": {}}'
        else line end order by at)
      from jsonb_array_elements(policy_lines) with ordinality as lines (line, at))
  where user_id = of_user;
  update deposit_requests set description = '' where user_id = of_user;
  update withdrawal_requests set address = 'erased-' || of_user || '@invalid'
  where address = cut_email and network = 'email';
  update deposit_requests set address = 'erased-' || of_user || '@invalid'
  where address = cut_email and network = 'email';
end
$$;

-- Functions that write tables which their callers may not write. They see PostgreSQL's own
-- functions first, then this schema, and nothing else.
do $$
declare
  name text;
begin
  foreach name in array array[
    'make_login_partition(date)', 'drop_old_logins(date, bigint)', 'cut_requests_of_closed(bigint)',
    'append_to_outbox(bigint, text, bigint, bytea, bigint, bigint)',
    'record_withdrawal_change()', 'record_deposit_change()', 'record_stake_change()',
    'record_security_change()', 'follow_verification_level()', 'advance_switch_version()',
    'end_sessions_of_users()', 'require_confirmed_registry()'
  ] loop
    execute format('alter function %s security definer set search_path = pg_catalog, %I, pg_temp',
      name, current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
end
$$;
