// The closed lists of words in commands and events. A word's index in its list is its code in the
// log: append at the end, never reorder, never remove.

export const SIDES = ['buy', 'sell'] as const;
export type Side = (typeof SIDES)[number];

export const ORDER_TYPES = ['limit', 'market'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

/** GTC rests, IOC cancels the unfilled remainder, FOK fills completely or is refused. */
export const TIMES_IN_FORCE = ['GTC', 'IOC', 'FOK'] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];

export const SELF_TRADE_MODES = ['cancel_newest', 'cancel_oldest', 'cancel_both', 'off'] as const;
export type SelfTradeMode = (typeof SELF_TRADE_MODES)[number];

/** Which way the price moves to a stop price: against the order's side, or in its favor. */
export const TRIGGERS = ['stop', 'take_profit'] as const;
export type Trigger = (typeof TRIGGERS)[number];

export const MARKET_STATUSES = [
  'full',
  'cancel-only',
  'post-only',
  'pre-launch',
  'paused',
  'maintenance',
  'delisted',
  'migration',
  'inactive',
  'auction',
] as const;
export type MarketStatus = (typeof MARKET_STATUSES)[number];

/** Why an order left the exchange. */
export const CLOSE_REASONS = [
  'filled',
  'canceled_by_user',
  'canceled_by_operator',
  'canceled_by_dead_man_switch',
  'immediate_order_remainder',
  'self_trade_prevented',
  'fills_per_command_reached',
  'price_outside_band',
  'order_cannot_be_filled_completely',
  'no_liquidity_within_limits',
  'linked_order_closed',
  'expired',
] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

/** Why a command was refused: a sentence that states the requirement or the obstacle. */
export const REFUSALS = [
  'none',
  // Any command
  'command_is_poisoned',
  'user_must_be_valid',
  'asset_must_exist',
  'market_must_exist',
  'amount_must_be_positive',
  'available_balance_too_small',
  // Markets and orders
  'market_is_frozen',
  'market_does_not_accept_orders',
  'market_accepts_post_only_orders_only',
  'size_below_minimum',
  'size_above_maximum',
  'price_below_minimum',
  'price_above_maximum',
  'market_order_must_not_name_a_price',
  'market_order_must_be_immediate',
  'post_only_order_must_be_limit',
  'post_only_order_must_rest',
  'post_only_order_must_not_have_stop',
  'stop_order_needs_a_market_price',
  'stop_price_below_minimum',
  'stop_price_above_maximum',
  'stop_price_must_be_above_market_price',
  'stop_price_must_be_below_market_price',
  'client_order_id_too_long',
  'client_order_id_must_be_printable_ascii',
  'client_order_id_already_used',
  'open_orders_limit_reached',
  'exchange_order_capacity_reached',
  'exchange_user_capacity_reached',
  'exchange_account_capacity_reached',
  'price_outside_band',
  'post_only_order_would_trade',
  'no_liquidity_within_limits',
  'order_cannot_be_filled_completely',
  'order_must_exist',
  'waiting_stop_cannot_be_amended',
  'amend_must_change_something',
  'amended_size_must_exceed_filled_size',
  'quote_has_expired',
  'quoted_price_no_longer_available',
  'timeout_out_of_range',
  'dead_man_switches_limit_reached',
  // Money
  'channel_must_exist',
  'channel_is_frozen',
  'channel_sequence_already_seen',
  'channel_sequence_has_gap',
  'issuance_cap_exceeded',
  'withdrawal_already_open',
  'withdrawal_must_be_open',
  'withdrawals_limit_reached',
  'users_must_be_different',
  'users_are_in_one_group',
  'fees_account_is_empty',
  // Configuration
  'symbol_must_be_valid',
  'symbol_already_listed',
  'exchange_asset_capacity_reached',
  'exchange_market_capacity_reached',
  'scale_out_of_range',
  'issuance_cap_out_of_range',
  'issuance_cap_below_issued',
  'base_and_quote_must_be_different',
  'lot_and_tick_must_be_positive',
  'lot_times_tick_must_be_whole_quote_atoms',
  'smallest_fill_must_be_worth_two_atoms',
  'price_range_must_be_valid',
  'size_range_must_be_valid',
  'largest_order_must_fit_the_ledger',
  'reference_price_out_of_range',
  'fee_rate_out_of_range',
  'fee_tier_out_of_range',
  'discount_out_of_range',
  'band_out_of_range',
  'limits_must_not_shrink',
  'limits_out_of_range',
  'command_is_not_frozen',
  // Shares of one user
  'user_accounts_limit_reached',
  'user_stops_limit_reached',
  'user_withdrawals_limit_reached',
  'user_dead_man_switches_limit_reached',
  'rules_version_must_not_decrease',
  'band_needs_a_reference_price',
  // Call auctions
  'auction_accepts_resting_limit_orders_only',
  'auction_end_out_of_range',
  // Take-profits and amended stops
  'order_needs_newer_rules',
  'take_profit_needs_a_stop_price',
  'take_profit_price_must_be_below_market_price',
  'take_profit_price_must_be_above_market_price',
  'triggered_stop_cannot_be_amended',
  'amended_stop_price_needs_a_waiting_stop',
  // Linked orders
  'linked_order_needs_a_stop_price',
  'linked_order_must_be_open',
  'linked_orders_must_match',
  'linked_order_already_linked',
  'linked_order_cannot_be_amended',
  // Orders with an expiry
  'expiry_needs_a_resting_order',
  'expiry_out_of_range',
] as const;
export type Refusal = (typeof REFUSALS)[number];
