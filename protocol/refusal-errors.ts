// What the engine's refusals are called on the wire. Exhaustive by type: a new refusal does not
// compile until it stands here.

import type { Refusal } from '../core/messages/index.ts';
import type { ErrorKey } from './errors.ts';

/** Configuration is said by operators and tools, who know the engine's own words. */
const AS_IT_IS = 'command_refused';

const errorOfRefusal: Readonly<Record<Exclude<Refusal, 'none'>, ErrorKey>> = {
  command_is_poisoned: 'command_failed',
  user_must_be_valid: 'user_not_found',
  asset_must_exist: 'currency_invalid',
  market_must_exist: 'symbol_invalid',
  amount_must_be_positive: 'amount_must_be_positive',
  available_balance_too_small: 'available_balance_too_small',
  market_is_frozen: 'market_is_frozen',
  market_does_not_accept_orders: 'market_does_not_accept_orders',
  market_accepts_post_only_orders_only: 'market_accepts_post_only_orders_only',
  size_below_minimum: 'size_below_minimum',
  size_above_maximum: 'size_above_maximum',
  price_below_minimum: 'price_below_minimum',
  price_above_maximum: 'price_above_maximum',
  market_order_must_not_name_a_price: 'market_order_must_not_name_a_price',
  market_order_must_be_immediate: 'market_order_must_be_immediate',
  post_only_order_must_be_limit: 'post_only_order_must_be_limit',
  post_only_order_must_rest: 'post_only_order_must_rest',
  post_only_order_must_not_have_stop: 'post_only_order_must_not_have_stop',
  stop_order_needs_a_market_price: 'stop_order_needs_a_market_price',
  stop_price_below_minimum: 'stop_price_below_minimum',
  stop_price_above_maximum: 'stop_price_above_maximum',
  stop_price_must_be_above_market_price: 'stop_price_must_be_above_market_price',
  stop_price_must_be_below_market_price: 'stop_price_must_be_below_market_price',
  client_order_id_too_long: 'client_order_id_too_long',
  client_order_id_must_be_printable_ascii: 'client_order_id_must_be_printable_ascii',
  client_order_id_already_used: 'client_order_id_already_used',
  open_orders_limit_reached: 'open_orders_limit_reached',
  exchange_order_capacity_reached: 'exchange_capacity_reached',
  exchange_user_capacity_reached: 'exchange_capacity_reached',
  exchange_account_capacity_reached: 'exchange_capacity_reached',
  price_outside_band: 'price_outside_band',
  post_only_order_would_trade: 'post_only_order_would_trade',
  no_liquidity_within_limits: 'no_liquidity_within_limits',
  order_cannot_be_filled_completely: 'order_cannot_be_filled_completely',
  order_must_exist: 'order_must_exist',
  waiting_stop_cannot_be_amended: 'waiting_stop_cannot_be_amended',
  amend_must_change_something: 'amend_must_change_something',
  amended_size_must_exceed_filled_size: 'amended_size_must_exceed_filled_size',
  quote_has_expired: 'quote_has_expired',
  quoted_price_no_longer_available: 'quoted_price_no_longer_available',
  timeout_out_of_range: 'timeout_out_of_range',
  dead_man_switches_limit_reached: 'switches_limit_reached',
  // Positions of channels are counted by the outbox: whoever sees one of these sees a bug of ours.
  channel_must_exist: AS_IT_IS,
  channel_is_frozen: AS_IT_IS,
  channel_sequence_already_seen: AS_IT_IS,
  channel_sequence_has_gap: AS_IT_IS,
  issuance_cap_exceeded: 'issuance_cap_exceeded',
  withdrawal_already_open: 'withdrawal_under_way',
  withdrawal_must_be_open: 'withdrawal_under_way',
  withdrawals_limit_reached: 'withdrawals_limit_reached',
  users_must_be_different: 'users_must_be_different',
  users_are_in_one_group: 'users_are_in_one_group',
  fees_account_is_empty: 'fees_account_is_empty',
  symbol_must_be_valid: AS_IT_IS,
  symbol_already_listed: AS_IT_IS,
  exchange_asset_capacity_reached: AS_IT_IS,
  exchange_market_capacity_reached: AS_IT_IS,
  scale_out_of_range: AS_IT_IS,
  issuance_cap_out_of_range: AS_IT_IS,
  issuance_cap_below_issued: AS_IT_IS,
  base_and_quote_must_be_different: AS_IT_IS,
  lot_and_tick_must_be_positive: AS_IT_IS,
  lot_times_tick_must_be_whole_quote_atoms: AS_IT_IS,
  smallest_fill_must_be_worth_two_atoms: AS_IT_IS,
  price_range_must_be_valid: AS_IT_IS,
  size_range_must_be_valid: AS_IT_IS,
  largest_order_must_fit_the_ledger: AS_IT_IS,
  reference_price_out_of_range: AS_IT_IS,
  fee_rate_out_of_range: AS_IT_IS,
  fee_tier_out_of_range: AS_IT_IS,
  discount_out_of_range: AS_IT_IS,
  band_out_of_range: AS_IT_IS,
  limits_must_not_shrink: AS_IT_IS,
  limits_out_of_range: AS_IT_IS,
  command_is_not_frozen: AS_IT_IS,
};

/** Give `{ refusal }` among the details: texts that say the engine's own word need it. */
export function refusalError(refusal: Exclude<Refusal, 'none'>): ErrorKey {
  return errorOfRefusal[refusal];
}

/** Why the registry does not take a request for a withdrawal. */
export type WithdrawalRefused =
  | 'user_must_exist'
  | 'account_is_deactivated'
  | 'verification_level_too_low'
  | 'withdrawals_are_blocked'
  | 'amount_must_be_positive'
  | 'no_limit_is_set'
  | 'withdrawals_are_disabled'
  | 'price_is_missing'
  | 'day_limit_exceeded'
  | 'month_limit_exceeded'
  | 'signature_already_used'
  | 'confirmation_is_wrong';

const errorOfWithdrawal: Readonly<Record<WithdrawalRefused, ErrorKey>> = {
  user_must_exist: 'user_not_found',
  account_is_deactivated: 'account_deactivated',
  verification_level_too_low: 'level_too_low',
  withdrawals_are_blocked: 'withdrawals_blocked',
  amount_must_be_positive: 'amount_must_be_positive',
  no_limit_is_set: 'withdrawal_limits_missing',
  withdrawals_are_disabled: 'withdrawals_not_allowed_for_level',
  price_is_missing: 'withdrawal_price_unknown',
  day_limit_exceeded: 'withdrawal_limit_reached',
  month_limit_exceeded: 'withdrawal_month_limit_reached',
  signature_already_used: 'signature_replayed',
  confirmation_is_wrong: 'withdrawal_not_confirmed',
};

export function withdrawalError(refusal: WithdrawalRefused): ErrorKey {
  return errorOfWithdrawal[refusal];
}

/** Why a command is certainly not in the log and never will be. */
export type NotTaken = 'busy' | 'too_old' | 'malformed' | 'no_leader';

const errorOfNotTaken: Readonly<Record<NotTaken, ErrorKey>> = {
  busy: 'exchange_busy',
  too_old: 'exchange_busy',
  // The gateway made it: its mistake, not the caller's.
  malformed: 'internal_fault',
  no_leader: 'exchange_without_leader',
};

export function notTakenError(reason: NotTaken): ErrorKey {
  return errorOfNotTaken[reason];
}

/** Sent as Retry-After with every 503. */
export const RETRY_AFTER_S = 1;
