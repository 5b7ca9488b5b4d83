create table assets (
  id bigint not null,
  symbol text not null,
  scale bigint not null,
  issuance_cap_atoms bigint not null,
  listed_at timestamp with time zone not null,
  constraint assets_pkey PRIMARY KEY (id)
);

create table audit_anchors (
  frame bigint not null,
  event_index bigint not null,
  audit_seq bigint not null,
  hash text not null,
  anchored_at timestamp with time zone not null,
  constraint audit_anchors_pkey PRIMARY KEY (frame, event_index)
);
CREATE INDEX audit_anchors_by_seq ON audit_anchors USING btree (audit_seq);

create table balances (
  owner bigint not null,
  asset_id bigint not null,
  available_atoms bigint not null,
  held_atoms bigint not null,
  updated_at timestamp with time zone not null,
  updated_frame bigint not null,
  constraint balances_check CHECK (held_atoms >= 0 AND (available_atoms >= 0 OR owner < 0)),
  constraint balances_pkey PRIMARY KEY (owner, asset_id)
) with (fillfactor=50);
CREATE INDEX balances_in_asset ON balances USING btree (asset_id, owner);

create table candles (
  market_id bigint not null,
  resolution text not null,
  start timestamp with time zone not null,
  open_ticks bigint not null,
  high_ticks bigint not null,
  low_ticks bigint not null,
  close_ticks bigint not null,
  volume_lots numeric not null,
  quote_volume_atoms numeric not null,
  trade_count bigint not null,
  constraint candles_pkey PRIMARY KEY (market_id, resolution, start),
  constraint candles_resolution_check CHECK (resolution = ANY (ARRAY['1m'::text, '5m'::text,
    '15m'::text, '1h'::text, '4h'::text, '1d'::text, '1w'::text]))
);

create table dead_man_switches (
  user_id bigint not null,
  key_id bigint not null,
  deadline timestamp with time zone,
  fired_at timestamp with time zone,
  orders_canceled bigint not null default 0,
  updated_at timestamp with time zone not null,
  constraint dead_man_switches_pkey PRIMARY KEY (user_id, key_id)
);

create table deposits (
  command bigint not null,
  kind text not null,
  user_id bigint not null,
  asset_id bigint not null,
  amount_atoms bigint not null,
  reference text not null,
  created_at timestamp with time zone not null,
  constraint deposits_kind_check CHECK (kind = ANY (ARRAY['deposit'::text, 'mint'::text])),
  constraint deposits_pkey PRIMARY KEY (command)
);
CREATE INDEX deposits_by_reference ON deposits USING btree (reference);
CREATE INDEX deposits_in_asset ON deposits USING btree (asset_id, command);
CREATE INDEX deposits_of_user ON deposits USING btree (user_id, command);

create table fills (
  user_id bigint not null,
  trade bigint not null,
  liquidity text not null,
  market_id bigint not null,
  side text not null,
  price_ticks bigint not null,
  size_lots bigint not null,
  quote_atoms bigint not null,
  order_number bigint not null,
  fee_asset_id bigint not null,
  fee_atoms bigint not null,
  quick boolean not null,
  executed_at timestamp with time zone not null,
  constraint fills_liquidity_check CHECK (liquidity = ANY (ARRAY['maker'::text, 'taker'::text])),
  constraint fills_pkey PRIMARY KEY (user_id, executed_at, trade, liquidity),
  constraint fills_side_check CHECK (side = ANY (ARRAY['buy'::text, 'sell'::text]))
) partition by RANGE (executed_at);
CREATE INDEX fills_of_user_in_market ON fills USING btree (user_id, market_id,
    executed_at, trade);

create table freezes (
  frame bigint not null,
  event_index bigint not null,
  command bigint not null,
  market_id bigint,
  channel bigint,
  frozen_at timestamp with time zone not null,
  voided_at timestamp with time zone,
  constraint freezes_pkey PRIMARY KEY (frame, event_index)
);
CREATE INDEX standing_freezes ON freezes USING btree (command) WHERE (voided_at IS NULL);

create table ledger_entries (
  owner bigint not null,
  asset_id bigint not null,
  frame bigint not null,
  event_index bigint not null,
  posting_index bigint not null,
  available_change_atoms bigint not null,
  held_change_atoms bigint not null,
  cause_kind text not null,
  cause_id bigint not null,
  command bigint not null,
  reference text,
  recorded_at timestamp with time zone not null,
  constraint ledger_entries_cause_kind_check CHECK (cause_kind = ANY (ARRAY['deposit'::text,
    'mint'::text, 'burn'::text, 'transfer'::text, 'fee_settlement'::text, 'withdrawal'::text,
    'order'::text, 'trade'::text]))
) partition by RANGE (recorded_at);
CREATE INDEX ledger_entries_in_frame ON ledger_entries USING btree (frame,
    recorded_at);
CREATE INDEX ledger_entries_of_account ON ledger_entries USING btree (owner,
    asset_id, recorded_at);
CREATE INDEX ledger_entries_of_command ON ledger_entries USING brin (command) WITH
    (pages_per_range='64', autosummarize='on') WHERE (command > 0);

create table limits (
  name text not null,
  value bigint not null,
  updated_at timestamp with time zone not null,
  constraint limits_pkey PRIMARY KEY (name)
);

create table market_fees (
  market_id bigint not null,
  tier bigint not null,
  maker_ppm bigint not null,
  taker_ppm bigint not null,
  updated_at timestamp with time zone not null,
  constraint market_fees_pkey PRIMARY KEY (market_id, tier)
);

create table markets (
  id bigint not null,
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
  status text not null,
  listed_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  auction_ends_at timestamp with time zone,
  constraint markets_pkey PRIMARY KEY (id),
  constraint markets_status_check CHECK (status = ANY (ARRAY['full'::text, 'cancel-only'::text,
    'post-only'::text, 'pre-launch'::text, 'paused'::text, 'maintenance'::text,
    'delisted'::text, 'migration'::text, 'inactive'::text, 'auction'::text]))
);

create table migrations (
  number bigint not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migrations_pkey PRIMARY KEY (number)
);

create table minutes (
  start timestamp with time zone not null,
  first_command bigint not null,
  constraint minutes_pkey PRIMARY KEY (start)
);

create table orders (
  number bigint not null,
  user_id bigint not null,
  key_id bigint not null,
  market_id bigint not null,
  side text not null,
  type text not null,
  time_in_force text not null,
  self_trade text not null,
  post_only boolean not null,
  quick boolean not null,
  price_ticks bigint not null,
  size_lots bigint not null,
  stop_ticks bigint not null,
  maker_fee_ppm bigint not null,
  taker_fee_ppm bigint not null,
  filled_lots bigint not null,
  filled_quote_atoms bigint not null,
  fee_atoms bigint not null,
  status text not null,
  close_reason text,
  client_order_id text not null,
  note text not null,
  created_at timestamp with time zone not null,
  created_frame bigint not null,
  triggered_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  updated_frame bigint not null,
  trigger text not null default 'stop'::text,
  linked_order bigint not null default 0,
  expires_at timestamp with time zone,
  constraint orders_check CHECK (filled_lots >= 0 AND filled_lots <= size_lots),
  constraint orders_check1 CHECK ((close_reason IS NULL) = (status = ANY (ARRAY['new'::text,
    'pfilled'::text]))),
  constraint orders_close_reason_check CHECK (close_reason = ANY (ARRAY['filled'::text,
    'canceled_by_user'::text, 'canceled_by_operator'::text, 'canceled_by_dead_man_switch'::text,
    'immediate_order_remainder'::text, 'self_trade_prevented'::text,
    'fills_per_command_reached'::text, 'price_outside_band'::text,
    'order_cannot_be_filled_completely'::text, 'no_liquidity_within_limits'::text,
    'linked_order_closed'::text, 'expired'::text])),
  constraint orders_pkey PRIMARY KEY (number),
  constraint orders_self_trade_check CHECK (self_trade = ANY (ARRAY['cancel_newest'::text,
    'cancel_oldest'::text, 'cancel_both'::text, 'off'::text])),
  constraint orders_side_check CHECK (side = ANY (ARRAY['buy'::text, 'sell'::text])),
  constraint orders_status_check CHECK (status = ANY (ARRAY['new'::text, 'pfilled'::text,
    'filled'::text, 'canceled'::text])),
  constraint orders_time_in_force_check CHECK (time_in_force = ANY (ARRAY['GTC'::text,
    'IOC'::text, 'FOK'::text])),
  constraint orders_trigger_check CHECK (trigger = ANY (ARRAY['stop'::text, 'take_profit'::text])),
  constraint orders_type_check CHECK (type = ANY (ARRAY['limit'::text, 'market'::text]))
) partition by RANGE (number);
CREATE INDEX open_orders ON orders USING btree (number) INCLUDE (market_id, user_id,
    side, price_ticks, size_lots) WHERE (close_reason IS NULL);
CREATE INDEX open_orders_of_user ON orders USING btree (user_id, number) WHERE
    (close_reason IS NULL);
CREATE INDEX orders_by_client_id ON orders USING btree (client_order_id, user_id)
    WHERE (client_order_id <> ''::text);
CREATE INDEX orders_in_market ON orders USING btree (market_id, number);
CREATE INDEX orders_of_user ON orders USING btree (user_id, number);
CREATE INDEX orders_of_user_in_market ON orders USING btree (user_id, market_id,
    number);

create table prevented_orders (
  number bigint not null,
  user_id bigint not null,
  market_id bigint not null,
  reason text not null,
  ended_at timestamp with time zone not null,
  constraint prevented_orders_pkey PRIMARY KEY (number),
  constraint prevented_orders_reason_check CHECK (reason = ANY
    (ARRAY['self_trade_prevented'::text, 'price_outside_band'::text]))
);
CREATE INDEX prevented_orders_by_time ON prevented_orders USING btree (ended_at, number);

create table projection (
  is_only boolean not null default true,
  events_sequence bigint not null,
  chain_hash bytea not null,
  frame_sequence bigint not null,
  part bigint not null,
  is_complete boolean not null,
  frame_events bigint not null,
  projected_to timestamp with time zone not null,
  orders_per_partition bigint not null,
  exchange_id text,
  constraint projection_chain_hash_check CHECK (length(chain_hash) = 32),
  constraint projection_is_only_check CHECK (is_only),
  constraint projection_orders_per_partition_check CHECK (orders_per_partition > 0),
  constraint projection_pkey PRIMARY KEY (is_only)
);

create table trades (
  number bigint not null,
  market_id bigint not null,
  base_id bigint not null,
  quote_id bigint not null,
  taker_side text not null,
  price_ticks bigint not null,
  size_lots bigint not null,
  maker_order bigint not null,
  taker_order bigint not null,
  maker_id bigint not null,
  taker_id bigint not null,
  base_atoms bigint not null,
  quote_atoms bigint not null,
  maker_fee_atoms bigint not null,
  taker_fee_atoms bigint not null,
  house boolean not null,
  quick boolean not null,
  command bigint not null,
  frame bigint not null,
  executed_at timestamp with time zone not null,
  constraint trades_pkey PRIMARY KEY (executed_at, number),
  constraint trades_taker_side_check CHECK (taker_side = ANY (ARRAY['buy'::text, 'sell'::text]))
) partition by RANGE (executed_at);
CREATE INDEX trades_in_market ON trades USING btree (market_id, executed_at, number);

create table user_fee_changes (
  user_id bigint not null,
  command bigint not null,
  tier bigint not null,
  discount_ppm bigint not null,
  changed_at timestamp with time zone not null,
  constraint user_fee_changes_pkey PRIMARY KEY (user_id, command)
);

create table user_fees (
  user_id bigint not null,
  tier bigint not null,
  discount_ppm bigint not null,
  updated_at timestamp with time zone not null,
  constraint user_fees_pkey PRIMARY KEY (user_id)
);

create table user_groups (
  user_id bigint not null,
  group_id bigint not null,
  house boolean not null,
  updated_at timestamp with time zone not null,
  constraint user_groups_pkey PRIMARY KEY (user_id)
);

create table withdrawals (
  command bigint not null,
  kind text not null,
  withdrawal bigint,
  user_id bigint not null,
  asset_id bigint not null,
  amount_atoms bigint not null,
  fee_asset_id bigint not null,
  fee_atoms bigint not null,
  status text not null,
  reference text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint withdrawals_kind_check CHECK (kind = ANY (ARRAY['withdrawal'::text, 'burn'::text])),
  constraint withdrawals_pkey PRIMARY KEY (command),
  constraint withdrawals_status_check CHECK (status = ANY (ARRAY['open'::text, 'completed'::text,
    'canceled'::text]))
);
CREATE INDEX open_withdrawals ON withdrawals USING btree (command) WHERE (status =
    'open'::text);
CREATE UNIQUE INDEX open_withdrawals_by_number ON withdrawals USING btree (withdrawal)
    WHERE (status = 'open'::text);
CREATE INDEX withdrawals_by_reference ON withdrawals USING btree (reference);
CREATE INDEX withdrawals_in_asset ON withdrawals USING btree (asset_id, command);
CREATE INDEX withdrawals_of_user ON withdrawals USING btree (user_id, command);
