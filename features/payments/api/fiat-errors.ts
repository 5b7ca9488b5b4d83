// Errors for bank accounts, payment details, fiat, deposit addresses and support.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const fiatErrors = {
  bank_accounts_too_many: {
    status: 400,
    code: 101,
    text: 'You can have at most {max} bank accounts',
  },
  bank_account_unknown: { status: 404, code: 102, text: 'Bank account not found' },
  bank_account_verified: {
    status: 400,
    code: 103,
    audience: 'operators',
    text: 'This bank account is already verified',
  },
  bank_type_unknown: { status: 400, code: 2460, text: 'Unknown bank account type: {name}' },
  bank_field_missing: {
    status: 400,
    code: 2461,
    text: 'The bank account is missing the field {name}',
  },
  bank_field_unknown: {
    status: 400,
    code: 2462,
    text: 'This type of bank account has no field {name}',
  },
  bank_field_invalid: {
    status: 400,
    code: 2477,
    text: 'The field {name} is not a valid IBAN. Check it for typing mistakes',
  },
  bank_account_own: {
    status: 403,
    code: 2463,
    audience: 'operators',
    text: 'You cannot review your own bank account',
  },
  bank_account_unverifiable: {
    status: 403,
    code: 2471,
    audience: 'operators',
    text: 'A new or changed bank account stays pending until another operator verifies it',
  },
  bank_account_entered_by_you: {
    status: 403,
    code: 2472,
    audience: 'operators',
    text: 'You or a related operator entered this bank account. Another operator must verify it',
  },
  bank_account_not_verified: {
    status: 403,
    code: 2464,
    text: 'This bank account is not verified',
  },
  fiat_currency_invalid: { status: 400, code: 2468, text: 'Invalid fiat currency: {currency}' },
  fiat_requests_too_many: {
    status: 400,
    code: 2469,
    text: 'You can have at most {max} pending requests in {currency}',
  },
  payment_details_too_many: {
    status: 400,
    code: 2465,
    text: 'You can have at most {max} payment details',
  },
  payment_detail_unknown: { status: 404, code: 245, text: 'Payment detail not found' },
  crypto_invalid: { status: 404, code: 2466, text: 'Invalid crypto: "{crypto}"' },
  sub_account_has_no_address: {
    status: 403,
    code: 221,
    text: 'Sub-accounts cannot create deposit addresses',
  },
  deposit_address_unavailable: {
    status: 400,
    code: 2467,
    text: 'No deposit address is available for {currency} on {network}. Contact support',
  },
  deposit_addresses_used_up: {
    status: 400,
    code: 2473,
    audience: 'operators',
    text:
      'No deposit address is left for {currency} on {network}. Add addresses that you control: ' +
      'rialto operate address add --currency {currency} --network {network} --address ADDRESS',
  },
  play_money_not_offered: {
    status: 400,
    code: 2474,
    text: 'This exchange gives no play money in {currency}',
  },
  play_money_taken: {
    status: 400,
    code: 2475,
    text: 'You already got this play money. You can get more in {hours} h',
  },
  play_money_used_up: {
    status: 400,
    code: 2476,
    text: 'The exchange has no play money left in {currency} right now. Try again later',
  },
  support_off: {
    status: 400,
    code: 139,
    text: 'This exchange does not accept support messages here',
  },
  support_messages_too_many: {
    status: 429,
    code: 2470,
    text: 'Too many support messages. Try again later',
  },
} as const satisfies ErrorTable;
