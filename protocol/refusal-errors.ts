// Maps refusals from the engine and the command link to catalog errors.

import type { Refusal } from '../core/messages/index.ts';
import { type ErrorKey, errors } from './errors.ts';

/** For configuration commands, because operators and tools know the engine's names. */
const AS_IT_IS = 'command_refused';

/**
 * Refusals whose error has another name. A refusal that is also a catalog key is its own error.
 * Exhaustive by type: a refusal without an error does not compile.
 */
const errorOfRefusal: Readonly<Record<Exclude<Refusal, 'none' | ErrorKey>, ErrorKey>> = {
  command_is_poisoned: 'command_failed',
  user_must_be_valid: 'user_not_found',
  asset_must_exist: 'currency_invalid',
  market_must_exist: 'symbol_invalid',
  exchange_order_capacity_reached: 'exchange_capacity_reached',
  exchange_user_capacity_reached: 'exchange_capacity_reached',
  exchange_account_capacity_reached: 'exchange_capacity_reached',
  dead_man_switches_limit_reached: 'switches_limit_reached',
  user_dead_man_switches_limit_reached: 'user_switches_limit_reached',
  user_withdrawals_limit_reached: 'too_many_open_withdrawals',
  // The outbox counts channel positions, so these refusals mean a bug in Rialto.
  channel_must_exist: AS_IT_IS,
  channel_is_frozen: AS_IT_IS,
  channel_sequence_already_seen: AS_IT_IS,
  channel_sequence_has_gap: AS_IT_IS,
  withdrawal_already_open: 'withdrawal_under_way',
  withdrawal_must_be_open: 'withdrawal_under_way',
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
  rules_version_must_not_decrease: AS_IT_IS,
  band_needs_a_reference_price: AS_IT_IS,
  auction_end_out_of_range: AS_IT_IS,
};

/** Pass `{ refusal }` as a detail: the text of `command_refused` contains the refusal's name. */
export function refusalError(refusal: Exclude<Refusal, 'none'>): ErrorKey {
  return isErrorKey(refusal) ? refusal : errorOfRefusal[refusal];
}

function isErrorKey(
  refusal: Exclude<Refusal, 'none'>,
): refusal is Exclude<Refusal, 'none'> & ErrorKey {
  return Object.hasOwn(errors, refusal);
}

/** Reasons for which a command is certainly not in the log. */
export type NotTaken = 'busy' | 'too_old' | 'malformed' | 'not_permitted' | 'no_leader';

const errorOfNotTaken: Readonly<Record<NotTaken, ErrorKey>> = {
  busy: 'exchange_busy',
  too_old: 'exchange_busy',
  // The gateway encoded the command, so the caller is not at fault.
  malformed: 'internal_fault',
  // The sequencer does not accept such a command from this gateway, which is misconfigured.
  not_permitted: 'internal_fault',
  no_leader: 'exchange_without_leader',
};

export function notTakenError(reason: NotTaken): ErrorKey {
  return errorOfNotTaken[reason];
}

/** Retry-After header of every 503. */
export const RETRY_AFTER_S = 1;
