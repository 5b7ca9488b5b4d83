// Errors for orders, amendments, cancels and quotes. Errors for engine rejections have the
// rejection's name. Clients match some of the texts.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const orderErrors = {
  order_must_exist: { status: 404, code: 10, text: 'Order not found' },
  order_id_invalid: { status: 400, code: 2100, audience: 'programs', text: 'Invalid order id' },
  symbol_invalid: { status: 400, code: 1002, text: 'Invalid symbol: {symbol}' },
  available_balance_too_small: {
    status: 400,
    code: 67,
    text: 'Insufficient balance to perform the order',
  },
  market_is_frozen: {
    status: 503,
    code: 2101,
    text: 'This market is suspended until an operator has reviewed it. Open orders can be canceled',
  },
  market_does_not_accept_orders: {
    status: 400,
    code: 2102,
    text: 'This market is not accepting orders',
  },
  market_accepts_post_only_orders_only: {
    status: 400,
    code: 2103,
    text: 'This market is only accepting post-only orders',
  },
  auction_accepts_resting_limit_orders_only: {
    status: 400,
    code: 2143,
    text: 'During an auction, this market only accepts resting limit orders and stops',
  },

  price_missing: { status: 400, code: 2104, text: 'A limit order requires a price' },
  price_invalid: { status: 400, code: 178, text: 'Invalid price: {problem}' },
  size_invalid: { status: 400, code: 179, text: 'Invalid size: {problem}' },
  stop_invalid: { status: 400, code: 2105, text: 'Invalid stop price: {problem}' },
  size_below_minimum: { status: 400, code: 59, text: 'Order size is out of the limits' },
  size_above_maximum: {
    status: 400,
    code: 2106,
    text: 'Order size is out of the limits: too large',
  },
  price_below_minimum: {
    status: 400,
    code: 2107,
    text: 'Order price is out of the limits: too low',
  },
  price_above_maximum: {
    status: 400,
    code: 2108,
    text: 'Order price is out of the limits: too high',
  },
  market_order_must_not_name_a_price: {
    status: 400,
    code: 2109,
    audience: 'programs',
    text: 'A market order must not have a price',
  },
  market_order_must_be_immediate: {
    status: 400,
    code: 2110,
    audience: 'programs',
    text: 'A market order cannot rest: time_in_force must be IOC or FOK',
  },

  post_only_order_must_be_limit: {
    status: 400,
    code: 2111,
    text: 'Error 1001 - POST ONLY order can not be of type market',
  },
  post_only_order_must_rest: {
    status: 400,
    code: 2112,
    text: 'A post-only order must rest: time_in_force must be GTC',
  },
  post_only_order_must_not_have_stop: {
    status: 400,
    code: 2113,
    text: 'A post-only order cannot have a stop price',
  },
  post_only_order_would_trade: {
    status: 400,
    code: 2114,
    text:
      'Error 1001 - Order rejected. Order could not be submitted as this order was set to ' +
      'a post only order.',
  },

  stop_order_needs_a_market_price: {
    status: 400,
    code: 2115,
    text: 'A stop order requires a market price, and this market has none yet',
  },
  stop_price_below_minimum: {
    status: 400,
    code: 2116,
    text: 'Stop price is out of the limits: too low',
  },
  stop_price_above_maximum: {
    status: 400,
    code: 2117,
    text: 'Stop price is out of the limits: too high',
  },
  stop_price_must_be_above_market_price: {
    status: 400,
    code: 2118,
    text: 'The stop price of a buy order must be above the market price',
  },
  stop_price_must_be_below_market_price: {
    status: 400,
    code: 2119,
    text: 'The stop price of a sell order must be below the market price',
  },

  order_needs_newer_rules: {
    status: 400,
    code: 2145,
    text: 'This exchange does not support this type of order yet',
  },
  take_profit_needs_a_stop_price: {
    status: 400,
    code: 2146,
    audience: 'programs',
    text: 'A take-profit requires a stop price',
  },
  take_profit_price_must_be_below_market_price: {
    status: 400,
    code: 2147,
    text: 'The stop price of a take-profit to buy must be below the market price',
  },
  take_profit_price_must_be_above_market_price: {
    status: 400,
    code: 2148,
    text: 'The stop price of a take-profit to sell must be above the market price',
  },

  linked_order_needs_a_stop_price: {
    status: 400,
    code: 2151,
    audience: 'programs',
    text: 'An order that is linked to another one requires a stop price',
  },
  linked_order_must_be_open: {
    status: 400,
    code: 2152,
    text: 'The linked order is not open',
  },
  linked_orders_must_match: {
    status: 400,
    code: 2153,
    text: 'Linked orders must have the same market, side and size, and no fill',
  },
  linked_order_already_linked: {
    status: 400,
    code: 2154,
    text: 'The order is already linked to another order',
  },
  linked_order_cannot_be_amended: {
    status: 400,
    code: 2155,
    text: 'Linked orders cannot be changed. Cancel them and place new ones',
  },

  expiry_needs_a_resting_order: {
    status: 400,
    code: 2156,
    text: 'Only a GTC limit order or a stop can expire',
  },
  expiry_out_of_range: {
    status: 400,
    code: 2157,
    text: 'expires_at must be a time in the next 366 days',
  },

  client_order_id_too_long: {
    status: 400,
    code: 2120,
    audience: 'programs',
    text: 'client_order_id must have at most 36 characters',
  },
  client_order_id_must_be_printable_ascii: {
    status: 400,
    code: 2121,
    audience: 'programs',
    text: 'client_order_id must be printable ASCII',
  },
  client_order_id_already_used: {
    status: 400,
    code: 2122,
    audience: 'programs',
    text: 'client_order_id was already used for order {order_id}',
  },
  note_invalid: {
    status: 400,
    code: 2123,
    audience: 'programs',
    text: 'The note is too long or contains unsupported characters',
  },
  open_orders_limit_reached: { status: 400, code: 2124, text: 'You have too many open orders' },
  user_stops_limit_reached: { status: 400, code: 2140, text: 'You have too many stop orders' },
  user_accounts_limit_reached: {
    status: 400,
    code: 2141,
    text: 'You hold balances in too many coins to trade another one. Contact support',
  },
  exchange_capacity_reached: {
    status: 503,
    code: 2125,
    text: 'The exchange is at capacity. Try again later',
  },
  price_outside_band: {
    status: 400,
    code: 171,
    text: 'The price is too far from the current market price',
  },
  no_liquidity_within_limits: {
    status: 400,
    code: 64,
    text: 'The order with the current size can not be filled',
  },
  order_cannot_be_filled_completely: {
    status: 400,
    code: 2126,
    text: 'Order is not filled: it cannot be filled completely right now',
  },
  waiting_stop_cannot_be_amended: {
    status: 400,
    code: 2127,
    text: 'A stop order cannot be changed before it is triggered',
  },
  triggered_stop_cannot_be_amended: {
    status: 400,
    code: 2149,
    text: 'The order has been triggered and cannot be changed before it trades',
  },
  amended_stop_price_needs_a_waiting_stop: {
    status: 400,
    code: 2150,
    text: 'The order does not wait for a stop price',
  },
  amend_must_change_something: { status: 400, code: 138, text: 'Nothing to update' },
  amended_size_must_exceed_filled_size: {
    status: 400,
    code: 2128,
    text: 'The new size must be larger than the amount already filled',
  },
  timeout_out_of_range: {
    status: 400,
    code: 2129,
    audience: 'programs',
    text: 'The timeout must be between 1 and 86400 seconds',
  },
  switches_limit_reached: {
    status: 503,
    code: 2130,
    audience: 'programs',
    text: "No more dead man's switches can be armed right now",
  },
  user_switches_limit_reached: {
    status: 400,
    code: 2142,
    audience: 'programs',
    text: "You have armed too many dead man's switches. Disarm one first",
  },

  quote_token_used: { status: 400, code: 60, text: 'Token has been used' },
  quote_has_expired: { status: 400, code: 61, text: 'Quote has expired' },
  quote_token_unknown: { status: 400, code: 62, text: 'Invalid quote' },
  quote_of_another_user: {
    status: 400,
    code: 2131,
    text: 'Invalid quote: it belongs to another user',
  },
  quote_failed: { status: 400, code: 63, text: 'Error calculating the quote' },
  quote_too_small: {
    status: 400,
    code: 65,
    text: 'The order with the current size is too small to be filled',
  },
  quoted_price_no_longer_available: {
    status: 400,
    code: 66,
    text: 'Order is not filled: the quoted price is no longer available',
  },
  quote_currencies_missing: {
    status: 400,
    code: 172,
    audience: 'programs',
    text: 'Currencies are missing',
  },
  quote_amount_missing: {
    status: 400,
    code: 173,
    text: 'Provide spending_amount or receiving_amount',
  },
  quote_amount_must_be_positive: { status: 400, code: 174, text: 'The amount must be positive' },
  quote_pair_not_offered: {
    status: 400,
    code: 175,
    text: 'These currencies cannot be converted',
  },
  asset_invalid: {
    status: 400,
    code: 2132,
    audience: 'programs',
    text: 'Invalid asset: {currency}',
  },
} as const satisfies ErrorTable;
