-- Binds the registry to its log (decision 0034): a PostgreSQL server hands out numbers and
-- positions only after a dispatcher has compared it with the engine.

create table registry_term (
  singleton boolean primary key default true check (singleton),
  -- A copy of the registry has the same.
  registry uuid not null default gen_random_uuid(),
  -- The log of the exchange; null until a dispatcher has read it.
  exchange text,
  -- Raised each time a server is confirmed, and by `restore reconcile`.
  term bigint not null check (term > 0),
  -- new: it meets its log for the first time, and nothing is fenced.
  state text not null check (state in ('new', 'confirming', 'confirmed', 'blocked')),
  -- Why it is blocked.
  reason text check ((reason is null) = (state <> 'blocked')),
  -- Of PostgreSQL: it grows with each promotion and each point-in-time recovery.
  timeline text not null,
  -- The server for which the state counts.
  server_started timestamptz not null,
  changed_at timestamptz not null default now()
);

-- A registry without a row has not met a log yet. The dispatcher and `restore reconcile` pass while
-- they compare: they set rialto.confirming for their transaction.
create function require_confirmed_registry() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('rialto.confirming', true), '') <> 'on' and exists (
    select from registry_term
    where state in ('confirming', 'blocked')
      or (state = 'confirmed' and server_started <> pg_postmaster_start_time())
  ) then
    raise exception 'the registry has not been compared with the log since PostgreSQL started'
      using errcode = 'RG001';
  end if;
  return null;
end
$$;

do $$
declare
  name text;
begin
  execute format('alter function require_confirmed_registry() security definer '
    'set search_path = %I, pg_temp', current_schema());
  execute 'revoke execute on function require_confirmed_registry() from public';
  foreach name in array array[
    'users', 'api_keys', 'withdrawal_requests', 'deposit_requests', 'outbox'
  ] loop
    execute format('create trigger confirmed_registry before insert on %I for each statement '
      'execute function require_confirmed_registry()', name);
  end loop;
end
$$;
