// Errors for withdrawals, deposits and operator commands.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const moneyErrors = {
  user_not_found: { status: 400, code: 12, audience: 'operators', text: 'User not found' },
  currency_invalid: { status: 400, code: 1003, text: 'Invalid coin: {currency}' },
  amount_invalid: { status: 400, code: 1004, text: 'Invalid amount: {problem}' },
  amount_must_be_positive: {
    status: 400,
    code: 2200,
    text: 'The amount must be greater than zero',
  },
  balance_too_small: { status: 400, code: 44, text: 'Insufficient balance' },

  deposits_are_off: { status: 400, code: 1005, text: 'Deposits are disabled for {currency}' },
  withdrawals_are_off: { status: 400, code: 1006, text: 'Withdrawals are disabled for {currency}' },
  withdrawals_blocked: {
    status: 403,
    code: 242,
    text: 'Withdrawals are disabled for your account until {until}',
  },
  withdrawal_address_not_in_book: {
    status: 403,
    code: 2341,
    text: 'Withdrawals are limited to your address book, and this address is not in it',
  },
  level_too_low: {
    status: 403,
    code: 1007,
    text: 'Your verification level is too low for withdrawals',
  },
  network_missing: {
    status: 400,
    code: 2201,
    text: 'A network is required for {currency}: one of {networks}',
  },
  network_invalid: { status: 400, code: 2202, text: 'Invalid network {network} for {currency}' },
  address_invalid: { status: 400, code: 2203, text: 'Invalid address for {currency}' },
  amount_below_minimum: { status: 400, code: 2204, text: 'The amount must be at least {min}' },
  amount_above_maximum: { status: 400, code: 2205, text: 'The amount must be at most {max}' },
  amount_not_a_multiple: {
    status: 400,
    code: 2206,
    text: 'The amount must be a multiple of {step}',
  },
  withdrawal_limits_missing: {
    status: 403,
    code: 2207,
    text: 'Withdrawals are not available: no withdrawal limit is set for your level',
  },
  withdrawals_not_allowed_for_level: {
    status: 403,
    code: 2208,
    text: 'Your level does not allow {currency} withdrawals',
  },
  withdrawal_limit_reached: {
    status: 400,
    code: 228,
    text: 'You have reached the 24-hour withdrawal limit for your level',
  },
  withdrawal_month_limit_reached: {
    status: 400,
    code: 2209,
    text: 'You have reached the monthly withdrawal limit for your level',
  },
  withdrawal_price_unknown: {
    status: 503,
    code: 2210,
    text:
      'No price is available for this coin, so your limit cannot be checked. Try again later ' +
      'or contact support',
  },
  withdrawal_not_found: { status: 404, code: 2211, text: 'Withdrawal not found' },
  withdrawal_under_way: {
    status: 400,
    code: 2212,
    text: 'The withdrawal is being processed or has ended and cannot be changed',
  },
  withdrawals_limit_reached: {
    status: 503,
    code: 2213,
    text: 'Too many withdrawals are open right now. Try again later',
  },
  withdrawal_not_confirmed: {
    status: 403,
    code: 2219,
    text: 'Send a current otp_code or confirm with your passkey; API keys need can_withdraw',
  },
  deposit_not_found: { status: 404, code: 2215, audience: 'operators', text: 'Deposit not found' },
  deposit_ended: {
    status: 400,
    code: 2216,
    audience: 'operators',
    text: 'The deposit has ended and cannot be changed',
  },
  transaction_id_used: {
    status: 400,
    code: 2217,
    audience: 'operators',
    text: 'This transaction_id has already been used',
  },
  transaction_output_repeated: {
    status: 400,
    code: 2228,
    audience: 'operators',
    text: 'Another output of this transaction credits the same amount to this user',
  },
  transaction_failed_before: {
    status: 400,
    code: 2443,
    audience: 'operators',
    text:
      'A deposit with this transaction failed before. Credit it again with PUT /v2/admin/mint: ' +
      '{id}',
  },
  network_under_custody: {
    status: 400,
    code: 2229,
    audience: 'operators',
    text: 'Deposits in the network {network} are credited by the chain watcher, not manually',
  },
  transaction_id_ambiguous: {
    status: 400,
    code: 2226,
    audience: 'operators',
    text: 'transaction_id matches several requests, so none was changed. Add the id of the request',
  },
  transaction_change_unclear: {
    status: 400,
    code: 2218,
    audience: 'operators',
    text: 'Only one of status, dismissed and rejected can be true',
  },

  issuance_cap_exceeded: {
    status: 400,
    code: 2220,
    audience: 'operators',
    text: 'This would exceed the issuance cap of the coin',
  },
  users_must_be_different: {
    status: 400,
    code: 2221,
    audience: 'operators',
    text: 'The users must be different',
  },
  account_of_house: {
    status: 400,
    code: 2227,
    audience: 'operators',
    text: 'User {user} is a house account: its balance only changes through settlements',
  },
  users_are_in_one_group: {
    status: 400,
    code: 2222,
    audience: 'operators',
    text: 'Users in the same group cannot trade with each other',
  },
  fees_account_is_empty: {
    status: 400,
    code: 2223,
    audience: 'operators',
    text: 'There are no fees to settle',
  },
  command_refused: {
    status: 400,
    code: 2224,
    audience: 'operators',
    text: 'The exchange rejected this: {refusal}',
  },
  command_failed: {
    status: 500,
    code: 2225,
    audience: 'operators',
    text: 'The exchange could not process this and changed nothing. Operators have been notified',
  },
} as const satisfies ErrorTable;
