-- The reconciler's record of the command log, with which it compares the tables and the outbox; and
-- the terms of each withdrawal when the engine was asked for it.

-- ---- The command log, as the reconciler has read it ---------------------------------------------

-- How far the record is.
create table log_record (
  is_only boolean primary key default true check (is_only),
  -- Every money command after this number and up to this frame is in logged_commands.
  commands_after bigint not null,
  commands_to_frame bigint not null,
  -- Every frame up to this one is in log_ranges.
  ranges_to_frame bigint not null
);

-- At each position of a channel, the command that took it.
create table logged_commands (
  channel bigint not null,
  sequence bigint not null,
  command_number bigint not null,
  frame bigint not null,
  -- Null if the engine accepted it.
  refusal text,
  -- As in the outbox.
  schema_version bigint not null,
  record bytea not null,
  primary key (channel, sequence)
);

-- Digests of the projected rows of consecutive frames. They follow from the log alone.
create table log_ranges (
  from_frame bigint primary key,
  to_frame bigint not null check (to_frame >= from_frame),
  -- Of the first and of the last frame with rows; null without rows.
  from_time timestamptz,
  to_time timestamptz,
  entries bigint not null,
  entries_digest bytea not null check (length(entries_digest) = 32),
  trades bigint not null,
  trades_digest bytea not null check (length(trades_digest) = 32),
  -- False: these frames were no longer in the log, and the digests are of the rows as they were.
  is_from_log boolean not null
);
create index log_ranges_by_end on log_ranges (to_frame);

-- ---- Terms of withdrawals -----------------------------------------------------------------------

-- The address of a transfer is an e-mail address, which an erasure removes.
create function withdrawal_terms(request withdrawal_requests) returns bytea
language sql stable as $$
  select sha256(convert_to(json_build_array(
    request.id, request.kind, request.user_id, request.asset_id, request.amount_atoms,
    request.fee_asset_id, request.fee_atoms, request.network,
    case when request.network = 'email' then null else request.address end)::text, 'UTF8'))
$$;

-- A change states the terms that it was made under. The database writes these rows; no service can.
alter table transfer_changes add column terms bytea check (length(terms) = 32);

create or replace function record_withdrawal_change() returns trigger language plpgsql
security definer as $$
begin
  insert into transfer_changes (withdrawal_request, user_id, state, terms)
  values (new.id, new.user_id, new.state, withdrawal_terms(new));
  return null;
end
$$;

-- Requests of today have the terms that they have.
update transfer_changes c set terms = withdrawal_terms(r)
from withdrawal_requests r
where r.id = c.withdrawal_request and c.state in ('opening', 'executing');

do $$
begin
  execute format('alter function record_withdrawal_change() set search_path = %I, pg_temp',
    current_schema());
end
$$;
