-- What operators say about what the log lists: coins, pairs, tiers, the kit, limits. The log
-- decides what can be traded; a row here only describes it. What has no row has defaults.

-- By the symbol of an asset. May be written before the asset is listed.
create table coins (
  symbol text primary key check (symbol ~ '^[a-z0-9]{1,15}$'),
  fullname text not null check (length(fullname) between 1 and 100),
  type text not null default 'blockchain' check (type in ('blockchain', 'fiat', 'other')),
  verified boolean not null default true,
  is_public boolean not null default true,
  active boolean not null default true,
  -- Nothing enters or leaves before somebody has said how.
  allow_deposit boolean not null default false,
  allow_withdrawal boolean not null default false,
  withdrawal_fee numeric not null default 0
    check (withdrawal_fee >= 0 and withdrawal_fee < 'Infinity'),
  -- By network: {"value", "symbol", "active", "type", "min", "max"}; decimals as texts.
  withdrawal_fees jsonb check (jsonb_typeof(withdrawal_fees) = 'object'),
  -- Of withdrawals. Null is what the asset's scale and the ledger allow.
  min numeric check (min >= 0 and min < 'Infinity'),
  max numeric check (max >= 0 and max < 'Infinity'),
  increment_unit numeric check (increment_unit > 0 and increment_unit < 'Infinity'),
  estimated_price numeric check (estimated_price >= 0 and estimated_price < 'Infinity'),
  description text,
  -- Of several networks the names with commas between them.
  network text,
  standard text,
  issuer text,
  logo text,
  meta jsonb not null default '{}' check (jsonb_typeof(meta) = 'object'),
  created_by bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- By the name of a market.
create table pairs (
  symbol text primary key check (symbol ~ '^[a-z0-9]{1,15}-[a-z0-9]{1,15}$'),
  verified boolean not null default true,
  is_public boolean not null default true,
  active boolean not null default true,
  estimated_price numeric check (estimated_price >= 0 and estimated_price < 'Infinity'),
  created_by bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- The levels of users. What they pay is in the log, by the same number.
create table tiers (
  id bigint primary key check (id between 0 and 63),
  name text not null check (length(name) between 1 and 100),
  icon text not null default '',
  description text not null default '',
  note text not null default '',
  -- Shown only: limits that count are in transaction_limits.
  deposit_limit numeric not null default 0
    check (deposit_limit >= -1 and deposit_limit < 'Infinity'),
  withdrawal_limit numeric not null default 0
    check (withdrawal_limit >= -1 and withdrawal_limit < 'Infinity'),
  native_currency_limit boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

insert into tiers (id, name, description) values
  (1, 'basic', 'Everybody begins here.'),
  (2, 'vip', 'For those who trade much.');

-- How clients look and behave. Its keys stand above the defaults.
create table kit (
  is_only boolean primary key default true check (is_only),
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  updated_at timestamptz not null default now()
);

-- What may leave or enter within 24 hours and within a month. 0 is no limit, -1 is not at all.
create table transaction_limits (
  id bigint generated always as identity primary key,
  tier bigint not null check (tier between 0 and 63),
  type text not null check (type in ('withdrawal', 'deposit')),
  -- In what the amounts are counted.
  currency text not null,
  -- Of what: one coin, or `default` for all that have no row of their own.
  limit_currency text not null,
  amount numeric not null check (amount = -1 or (amount >= 0 and amount < 'Infinity')),
  monthly_amount numeric not null
    check (monthly_amount = -1 or (monthly_amount >= 0 and monthly_amount < 'Infinity')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tier, type, limit_currency),
  -- A day without a limit in a month that has one, or a day larger than its month, is a mistake.
  check (monthly_amount <= 0 or (amount <> 0 and amount <= monthly_amount))
);

-- How a pair is converted: `pro` by its own book.
create table quick_trade (
  symbol text primary key check (symbol ~ '^[a-z0-9]{1,15}-[a-z0-9]{1,15}$'),
  type text not null default 'pro' check (type in ('pro')),
  active boolean not null default true,
  updated_at timestamptz not null default now()
);
