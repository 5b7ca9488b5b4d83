-- What `restore reconcile` found in the log and not in the registry (decision 0034).

create table lost_commands (
  id bigint generated always as identity primary key,
  found_at timestamptz not null default now(),
  -- For example `withdrawal 77`, `user 9`, `audit`.
  object text not null,
  sentence text not null,
  -- The position of the command; null if the finding is not a command.
  channel bigint,
  sequence bigint,
  -- Of a transfer: staking recognizes its own movements by the reference.
  reference text not null default '',
  amount_atoms bigint,
  -- What an operator must decide; null if nothing is left to decide.
  decision text,
  -- Decided as soon as this withdrawal is no longer claimed.
  withdrawal_request bigint references withdrawal_requests (id),
  -- Decided as soon as this user has an email address.
  user_id bigint references users (id),
  decided_at timestamptz,
  decided_by text,
  note text,
  unique (object, sentence),
  foreign key (channel, sequence) references outbox (channel, sequence),
  check (num_nulls(decided_at, decided_by, note) in (0, 3))
);

create index open_lost_commands on lost_commands (id)
  where decision is not null and decided_at is null;
create index lost_commands_of_user on lost_commands (user_id) where user_id is not null;
create index lost_transfers on lost_commands (reference) where reference <> '';

-- Deposits whose network and output are unknown: their transaction is credited, whatever its
-- output. See features/payments/causes.ts.
create index deposit_requests_of_lost_cause on deposit_requests (asset_id, cause)
  where cause like '*/%';
