// Errors for the withdrawal policy.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const withdrawalPolicyErrors = {
  withdrawal_from_sub_account: {
    status: 403,
    code: 2400,
    text: 'Sub-accounts cannot withdraw. Transfer the amount to the main account first',
  },
  withdrawal_to_own_address: {
    status: 400,
    code: 2401,
    text: 'This is one of your own deposit addresses',
  },
  withdrawal_address_not_active: {
    status: 403,
    code: 2402,
    text: 'This address can be used for withdrawals from {until}',
  },
  withdrawal_needs_support: {
    status: 403,
    code: 2403,
    text: 'This withdrawal cannot be processed. Contact support',
  },
  transfer_needs_review: {
    status: 403,
    code: 2405,
    text:
      'This transfer would need a review, which transfers between users do not support. Send a ' +
      'smaller amount, or withdraw to an address',
  },
  fiat_needs_bank_account: {
    status: 400,
    code: 2406,
    text: '{currency} can only be withdrawn to a verified bank account',
  },
  too_many_open_withdrawals: {
    status: 400,
    code: 2407,
    text: 'You have too many open withdrawals. Wait for one to finish, or cancel one',
  },
  policy_reviews_reversed: {
    status: 400,
    code: 2408,
    audience: 'operators',
    text: 'The value for two reviews must not be below the value for one',
  },
} as const satisfies ErrorTable;
