-- Hardening: roles of PostgreSQL, and the bounds of what a stolen credential can do.

-- ---- Roles of PostgreSQL ----------------------------------------------------------------------

-- The login role that appended the row, as the database knows it: no statement of a client can
-- choose another. The dispatcher sends only what this role may ask for.
alter table outbox add column written_by text not null default session_user::text;
-- Why the dispatcher sent a command that the engine refuses instead of the row's own, which is in
-- voided_record.
alter table outbox add column voided text;
alter table outbox add column voided_record bytea
  check ((voided is null) = (voided_record is null));
create index voided_outbox on outbox (created_at) where voided is not null;
-- The transaction that wrote the row. An act, its audit entry and its commands are one.
alter table outbox add column written_in xid8 not null default pg_current_xact_id();
alter table audit_entries add column written_in xid8;
alter table audit_entries alter column written_in set default pg_current_xact_id();
create index audit_entries_of_transaction on audit_entries (written_in);

-- The only way to append. Positions have no gaps.
create function append_to_outbox(
  to_channel bigint, command_kind text, record_version bigint, command_record bytea,
  of_withdrawal bigint, of_deposit bigint
) returns bigint language plpgsql as $$
declare
  assigned bigint;
begin
  insert into channels as c (channel, last_assigned) values (to_channel, 1)
    on conflict (channel) do update set last_assigned = c.last_assigned + 1
    returning last_assigned into assigned;
  insert into outbox (channel, sequence, kind, schema_version, record, withdrawal_request,
    deposit_request)
  values (to_channel, assigned, command_kind, record_version, command_record, of_withdrawal,
    of_deposit);
  return assigned;
end
$$;

-- The most of one asset that leaves within an hour or a day without a review. Null for none.
create table withdrawal_ceilings (
  currency text primary key check (currency ~ '^[a-z0-9]{1,15}$'),
  hourly numeric check (hourly >= 0 and hourly < 'Infinity'),
  daily numeric check (daily >= 0 and daily < 'Infinity'),
  updated_at timestamptz not null default now()
);

-- Functions that write tables which their callers may not write. They see this schema only.
do $$
declare
  name text;
begin
  foreach name in array array[
    'append_to_outbox(bigint, text, bigint, bytea, bigint, bigint)',
    'record_withdrawal_change()', 'record_deposit_change()', 'record_stake_change()',
    'record_security_change()', 'follow_verification_level()', 'advance_switch_version()',
    'end_sessions_of_users()'
  ] loop
    execute format('alter function %s security definer set search_path = %I, pg_temp', name,
      current_schema());
    execute format('revoke execute on function %s from public', name);
  end loop;
end
$$;
