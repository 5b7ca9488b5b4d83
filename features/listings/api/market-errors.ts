// Errors of operators who list and control coins, pairs, tiers and limits.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const marketErrors = {
  market_field_invalid: {
    status: 400,
    code: 2720,
    audience: 'operators',
    text: 'Invalid value of `{field}`: {problem}',
  },
  market_terms_invalid: {
    status: 400,
    code: 2721,
    audience: 'operators',
    text: 'Invalid terms of the pair: {problem}',
  },
  market_terms_fixed: {
    status: 400,
    code: 2722,
    audience: 'operators',
    text: 'The sizes and prices of a pair are fixed: `{field}` is {value}',
  },
  coin_exists: {
    status: 400,
    code: 2723,
    audience: 'operators',
    text: 'The coin {currency} is listed already',
  },
  pair_exists: {
    status: 400,
    code: 2724,
    audience: 'operators',
    text: 'The pair {symbol} is listed already',
  },
  pair_name_invalid: {
    status: 400,
    code: 2725,
    audience: 'operators',
    text: 'The name of a pair is `pair_base-pair_2`: expected {symbol}',
  },
  tier_not_found: {
    status: 404,
    code: 2726,
    audience: 'operators',
    text: 'There is no tier {tier}',
  },
  tier_exists: {
    status: 400,
    code: 2727,
    audience: 'operators',
    text: 'The tier {tier} exists already',
  },
  limit_not_found: {
    status: 404,
    code: 2728,
    audience: 'operators',
    text: 'There is no such transaction limit',
  },
  limit_exists: {
    status: 400,
    code: 2729,
    audience: 'operators',
    text: 'Another limit of this tier, type and currency exists',
  },
  limit_range_invalid: {
    status: 400,
    code: 2730,
    audience: 'operators',
    text: 'The limit of a month is at least that of a day, and a day in it has a limit',
  },
  command_not_frozen: {
    status: 404,
    code: 2731,
    audience: 'operators',
    text: 'Nothing is frozen by command {command}',
  },
  nothing_stopped: {
    status: 400,
    code: 2732,
    audience: 'operators',
    text: 'No switch has stopped {switch} there',
  },
  quick_trade_type_unknown: {
    status: 400,
    code: 2733,
    audience: 'operators',
    text: 'Conversions of the type {type} do not exist here: only `pro`, the book of the pair',
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
    text: '{symbol} is {status}, which is harder than {mode}: resume it to that mode instead',
  },
  switch_without_accounts: {
    status: 400,
    code: 2736,
    audience: 'operators',
    text: 'There is no account in {object} that a switch may freeze: operators are never frozen so',
  },
  switch_too_wide: {
    status: 400,
    code: 2737,
    audience: 'operators',
    text: 'A switch freezes at most {max} accounts: stop logins and writes instead',
  },
  banner_empty: {
    status: 400,
    code: 2738,
    audience: 'operators',
    text: 'A banner needs a text',
  },
  holding_invalid: {
    status: 400,
    code: 2750,
    audience: 'operators',
    text: 'The amount of {currency} is not a whole number of its smallest units',
  },
} as const satisfies ErrorTable;
