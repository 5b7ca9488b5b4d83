-- How far the tables are, and the configuration in force: few rows, rarely changed.

create table projection (
  is_only boolean primary key default true check (is_only),
  -- The last message of the EVENTS log that is in the tables, and the chain's hash after it.
  events_sequence bigint not null,
  chain_hash bytea not null check (length(chain_hash) = 32),
  -- The last part of that message: of which frame, which one, whether the frame ends with it, and
  -- how many events of the frame are in.
  frame_sequence bigint not null,
  part bigint not null,
  is_complete boolean not null,
  frame_events bigint not null,
  -- The time of that frame.
  projected_to timestamptz not null,
  -- The width of a partition of orders; the same for the whole life of a schema.
  orders_per_partition bigint not null check (orders_per_partition > 0)
);

create table assets (
  id bigint primary key,
  symbol text not null,
  scale bigint not null,
  issuance_cap_atoms bigint not null,
  listed_at timestamptz not null
);

create table markets (
  id bigint primary key,
  -- The symbols of base and quote with a hyphen between them.
  name text not null,
  base_id bigint not null,
  quote_id bigint not null,
  lot_atoms bigint not null,
  tick_mantissa bigint not null,
  tick_scale bigint not null,
  tick_lot_atoms bigint not null,
  min_price_ticks bigint not null,
  max_price_ticks bigint not null,
  min_size_lots bigint not null,
  max_size_lots bigint not null,
  reference_ticks bigint not null,
  band_ppm bigint not null default 0,
  slippage_ppm bigint not null default 0,
  status text not null check (
    status in (
      'full', 'cancel-only', 'post-only', 'pre-launch', 'paused', 'maintenance', 'delisted',
      'migration', 'inactive', 'auction'
    )
  ),
  listed_at timestamptz not null,
  updated_at timestamptz not null
);

create table market_fees (
  market_id bigint not null,
  tier bigint not null,
  maker_ppm bigint not null,
  taker_ppm bigint not null,
  updated_at timestamptz not null,
  primary key (market_id, tier)
);

create table user_fees (
  user_id bigint primary key,
  tier bigint not null,
  discount_ppm bigint not null,
  updated_at timestamptz not null
);

create table user_groups (
  user_id bigint primary key,
  group_id bigint not null,
  house boolean not null,
  updated_at timestamptz not null
);

create table limits (
  name text primary key,
  value bigint not null,
  updated_at timestamptz not null
);

-- What a poison command froze, and the operator's decision to go on.
create table freezes (
  frame bigint not null,
  event_index bigint not null,
  command bigint not null,
  market_id bigint,
  channel bigint,
  frozen_at timestamptz not null,
  voided_at timestamptz,
  primary key (frame, event_index)
);

create index standing_freezes on freezes (command) where voided_at is null;

create table dead_man_switches (
  user_id bigint not null,
  key_id bigint not null,
  -- Null when disarmed or fired.
  deadline timestamptz,
  fired_at timestamptz,
  orders_canceled bigint not null default 0,
  updated_at timestamptz not null,
  primary key (user_id, key_id)
);

-- The first command of each minute in which a frame was written. Order numbers only grow with
-- time, so this turns a range of dates into one of numbers, by which orders are partitioned.
create table minutes (
  start timestamptz primary key,
  first_command bigint not null
);
