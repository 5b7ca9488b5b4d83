-- Control of the exchange: reconciliation, and stops that nobody pulled.

-- ---- Reconciliation ---------------------------------------------------------------------------

-- Where each check is, and when it last ended a pass over everything.
create table reconciliation_checks (
  name text primary key,
  -- The frame of the last compared values; null if one side has none.
  frame bigint,
  rows_compared bigint not null,
  checked_at timestamptz not null,
  -- Null until the first pass ends.
  passed_at timestamptz
);

create table reconciliation_differences (
  id bigint generated always as identity primary key,
  check_name text not null,
  object text not null,
  -- The symbol; null if it concerns no single asset.
  asset text,
  expected text not null,
  found text not null,
  frame bigint,
  first_found_at timestamptz not null,
  found_at timestamptz not null,
  -- A later pass no longer found it.
  closed_at timestamptz
);
create unique index open_reconciliation_differences on reconciliation_differences
  (check_name, object) where closed_at is null;
create index reconciliation_differences_by_time on reconciliation_differences (first_found_at);

-- What operators say is in the wallets and banks of the exchange.
create table declared_holdings (
  asset text primary key,
  amount numeric not null check (amount >= 0 and amount < 'Infinity'),
  note text not null,
  declared_by bigint not null references users (id),
  declared_at timestamptz not null
);
create index declared_holdings_of_operator on declared_holdings (declared_by);

-- ---- Stops ------------------------------------------------------------------------------------

-- Null: the reconciliation stopped it.
alter table stops alter column stopped_by drop not null;
alter table stops add column reason text not null default '';

-- ---- Roles ------------------------------------------------------------------------------------

update roles set permissions = permissions || '{/admin/reconciliation:get}'
where name in ('supervisor', 'manager', 'auditor');
