// Errors for listing and controlling coins, pairs, tiers and limits.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const marketErrors = {
  market_field_invalid: {
    status: 400,
    code: 2720,
    audience: 'operators',
    text: 'Invalid value for `{field}`: {problem}',
  },
  market_terms_invalid: {
    status: 400,
    code: 2721,
    audience: 'operators',
    text: 'Invalid pair terms: {problem}',
  },
  market_terms_fixed: {
    status: 400,
    code: 2722,
    audience: 'operators',
    text: 'The sizes and prices of a pair cannot be changed: `{field}` is {value}',
  },
  coin_exists: {
    status: 400,
    code: 2723,
    audience: 'operators',
    text: 'The coin {currency} is already listed',
  },
  pair_exists: {
    status: 400,
    code: 2724,
    audience: 'operators',
    text: 'The pair {symbol} is already listed',
  },
  pair_name_invalid: {
    status: 400,
    code: 2725,
    audience: 'operators',
    text: 'A pair must be named `pair_base-pair_2`: expected {symbol}',
  },
  tier_not_found: {
    status: 404,
    code: 2726,
    audience: 'operators',
    text: 'Tier {tier} not found',
  },
  tier_exists: {
    status: 400,
    code: 2727,
    audience: 'operators',
    text: 'Tier {tier} already exists',
  },
  limit_not_found: {
    status: 404,
    code: 2728,
    audience: 'operators',
    text: 'Transaction limit not found',
  },
  limit_exists: {
    status: 400,
    code: 2729,
    audience: 'operators',
    text: 'A limit for this tier, type and currency already exists',
  },
  limit_range_invalid: {
    status: 400,
    code: 2730,
    audience: 'operators',
    text: 'A monthly limit requires a daily limit that does not exceed it',
  },
  command_not_frozen: {
    status: 404,
    code: 2731,
    audience: 'operators',
    text: 'Command {command} has frozen nothing',
  },
  nothing_stopped: {
    status: 400,
    code: 2732,
    audience: 'operators',
    text: '{switch} is not stopped there',
  },
  quick_trade_type_unknown: {
    status: 400,
    code: 2733,
    audience: 'operators',
    text: 'Unknown conversion type {type}: only `pro`, the order book of the pair, is supported',
  },
  switch_target_invalid: {
    status: 400,
    code: 2734,
    audience: 'operators',
    text: 'The switch {switch} {problem}',
  },
  stop_is_softer: {
    status: 400,
    code: 2735,
    audience: 'operators',
    text: '{symbol} is {status}, which is stricter than {mode}. Resume it to that mode instead',
  },
  switch_without_accounts: {
    status: 400,
    code: 2736,
    audience: 'operators',
    text: '{object} has no accounts that a switch can freeze. Operators are never frozen this way',
  },
  switch_too_wide: {
    status: 400,
    code: 2737,
    audience: 'operators',
    text: 'A switch can freeze at most {max} accounts. Stop logins and writes instead',
  },
  banner_empty: {
    status: 400,
    code: 2738,
    audience: 'operators',
    text: 'A banner requires a text',
  },
  holding_invalid: {
    status: 400,
    code: 2750,
    audience: 'operators',
    text: 'The {currency} amount has too many decimals',
  },
} as const satisfies ErrorTable;
