-- Accounts, what changed them and why, and what came in and went out.

create table balances (
  -- A user, or one of the system's own: -1 is all that is outside, -2 collects fees.
  owner bigint not null,
  asset_id bigint not null,
  available_atoms bigint not null,
  held_atoms bigint not null,
  updated_at timestamptz not null,
  updated_frame bigint not null,
  primary key (owner, asset_id),
  check (held_atoms >= 0 and (available_atoms >= 0 or owner < 0))
) with (fillfactor = 50);

create index balances_in_asset on balances (asset_id, owner);

-- Double entry: the changes of one posting add up to zero. A posting between the two parts of one
-- account is one row, any other is two.
create table ledger_entries (
  owner bigint not null,
  asset_id bigint not null,
  frame bigint not null,
  event_index bigint not null,
  posting_index bigint not null,
  available_change_atoms bigint not null,
  held_change_atoms bigint not null,
  cause_kind text not null check (
    cause_kind in (
      'deposit', 'mint', 'burn', 'transfer', 'fee_settlement', 'withdrawal', 'order', 'trade'
    )
  ),
  cause_id bigint not null,
  -- 0 when the passing of time was the cause.
  command bigint not null,
  reference text,
  recorded_at timestamptz not null,
  primary key (owner, asset_id, recorded_at, frame, event_index, posting_index)
) partition by range (recorded_at);

create table deposits (
  command bigint primary key,
  kind text not null check (kind in ('deposit', 'mint')),
  user_id bigint not null,
  asset_id bigint not null,
  amount_atoms bigint not null,
  reference text not null,
  created_at timestamptz not null
);

create index deposits_of_user on deposits (user_id, command);
create index deposits_in_asset on deposits (asset_id, command);
create index deposits_by_reference on deposits (reference);

create table withdrawals (
  -- The command that opened it, or that burned.
  command bigint primary key,
  kind text not null check (kind in ('withdrawal', 'burn')),
  -- The number under which it was opened, which may be used again when it is closed; null for burn.
  withdrawal bigint,
  user_id bigint not null,
  asset_id bigint not null,
  amount_atoms bigint not null,
  fee_asset_id bigint not null,
  fee_atoms bigint not null,
  status text not null check (status in ('open', 'completed', 'canceled')),
  reference text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create unique index open_withdrawals_by_number on withdrawals (withdrawal)
  where status = 'open';
create index withdrawals_of_user on withdrawals (user_id, command);
create index withdrawals_in_asset on withdrawals (asset_id, command);
create index withdrawals_by_reference on withdrawals (reference);
create index open_withdrawals on withdrawals (command) where status = 'open';
