// Errors of bank accounts, payment details, fiat, deposit addresses and support.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const fiatErrors = {
  bank_accounts_too_many: {
    status: 400,
    code: 101,
    text: 'At most {max} bank accounts are allowed',
  },
  bank_account_unknown: { status: 404, code: 102, text: 'Bank account not found' },
  bank_account_verified: {
    status: 400,
    code: 103,
    audience: 'operators',
    text: 'The bank account is verified already',
  },
  bank_type_unknown: { status: 400, code: 2460, text: 'Unknown type of bank account: {name}' },
  bank_field_missing: { status: 400, code: 2461, text: 'The bank account needs the field {name}' },
  bank_field_unknown: {
    status: 400,
    code: 2462,
    text: 'A bank account of this type has no field {name}',
  },
  bank_account_own: {
    status: 403,
    code: 2463,
    audience: 'operators',
    text: 'Operators do not decide about their own bank account',
  },
  bank_account_unverifiable: {
    status: 403,
    code: 2471,
    audience: 'operators',
    text: 'A new or changed bank account is pending until another operator verifies it',
  },
  bank_account_entered_by_you: {
    status: 403,
    code: 2472,
    audience: 'operators',
    text: 'You or an operator related to you entered this bank account: another one verifies it',
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
    text: 'At most {max} requests in {currency} can be pending',
  },
  payment_details_too_many: {
    status: 400,
    code: 2465,
    text: 'At most {max} payment details are allowed',
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
    text: 'No deposit address for {currency} on {network} is available. Contact support',
  },
  deposit_addresses_used_up: {
    status: 400,
    code: 2473,
    audience: 'operators',
    text:
      'No deposit address for {currency} on {network} is left. Add addresses that you control: ' +
      'rialto operate address add --currency {currency} --network {network} --address ADDRESS',
  },
  support_off: { status: 400, code: 139, text: 'This exchange accepts no support messages here' },
  support_messages_too_many: {
    status: 429,
    code: 2470,
    text: 'Too many support messages at present. Retry later',
  },
} as const satisfies ErrorTable;
