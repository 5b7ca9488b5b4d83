-- Orders, trades, fills and candles.

-- Partitioned by number, because an event that changes an order knows nothing else of it.
create table orders (
  number bigint primary key,
  user_id bigint not null,
  key_id bigint not null,
  market_id bigint not null,
  side text not null check (side in ('buy', 'sell')),
  type text not null check (type in ('limit', 'market')),
  time_in_force text not null check (time_in_force in ('GTC', 'IOC', 'FOK')),
  self_trade text not null check (
    self_trade in ('cancel_newest', 'cancel_oldest', 'cancel_both', 'off')
  ),
  post_only boolean not null,
  quick boolean not null,
  -- For a market order the worst price it may take.
  price_ticks bigint not null,
  size_lots bigint not null,
  -- 0 for none.
  stop_ticks bigint not null,
  maker_fee_ppm bigint not null,
  taker_fee_ppm bigint not null,
  filled_lots bigint not null,
  filled_quote_atoms bigint not null,
  -- In what the order receives: base for a buy, quote for a sell.
  fee_atoms bigint not null,
  status text not null check (status in ('new', 'pfilled', 'filled', 'canceled')),
  close_reason text check (
    close_reason in (
      'filled', 'canceled_by_user', 'canceled_by_operator', 'canceled_by_dead_man_switch',
      'immediate_order_remainder', 'self_trade_prevented', 'fills_per_command_reached',
      'price_outside_band', 'order_cannot_be_filled_completely', 'no_liquidity_within_limits'
    )
  ),
  -- Empty for none.
  client_order_id text not null,
  note text not null,
  created_at timestamptz not null,
  created_frame bigint not null,
  -- When a stop met its price.
  triggered_at timestamptz,
  updated_at timestamptz not null,
  updated_frame bigint not null,
  check (filled_lots between 0 and size_lots),
  check ((close_reason is null) = (status in ('new', 'pfilled')))
) partition by range (number);

-- A fill changes no column of these, so that it finds room on the same page and touches none.
create index orders_of_user on orders (user_id, number);
create index orders_of_user_in_market on orders (user_id, market_id, number);
create index open_orders_of_user on orders (user_id, number) where close_reason is null;
create index open_orders on orders (number) where close_reason is null;
create index orders_by_client_id on orders (user_id, client_order_id)
  where client_order_id <> '';

create table trades (
  number bigint not null,
  market_id bigint not null,
  base_id bigint not null,
  quote_id bigint not null,
  taker_side text not null check (taker_side in ('buy', 'sell')),
  price_ticks bigint not null,
  size_lots bigint not null,
  -- 0 for both in a direct trade.
  maker_order bigint not null,
  taker_order bigint not null,
  maker_id bigint not null,
  taker_id bigint not null,
  base_atoms bigint not null,
  quote_atoms bigint not null,
  -- In what each side receives: base for the buyer, quote for the seller.
  maker_fee_atoms bigint not null,
  taker_fee_atoms bigint not null,
  house boolean not null,
  quick boolean not null,
  command bigint not null,
  frame bigint not null,
  executed_at timestamptz not null,
  primary key (executed_at, number)
) partition by range (executed_at);

create index trades_in_market on trades (market_id, executed_at, number);

create table fills (
  user_id bigint not null,
  trade bigint not null,
  liquidity text not null check (liquidity in ('maker', 'taker')),
  market_id bigint not null,
  side text not null check (side in ('buy', 'sell')),
  price_ticks bigint not null,
  size_lots bigint not null,
  quote_atoms bigint not null,
  -- 0 in a direct trade.
  order_number bigint not null,
  fee_asset_id bigint not null,
  fee_atoms bigint not null,
  quick boolean not null,
  executed_at timestamptz not null,
  primary key (user_id, executed_at, trade, liquidity)
) partition by range (executed_at);

create index fills_of_user_in_market on fills (user_id, market_id, executed_at, trade);

create table candles (
  market_id bigint not null,
  resolution text not null check (resolution in ('1m', '5m', '15m', '1h', '4h', '1d', '1w')),
  start timestamptz not null,
  open_ticks bigint not null,
  high_ticks bigint not null,
  low_ticks bigint not null,
  close_ticks bigint not null,
  -- Sums, which may pass 64 bits; house trades are left out of these three.
  volume_lots numeric not null,
  quote_volume_atoms numeric not null,
  trade_count bigint not null,
  primary key (market_id, resolution, start)
);
