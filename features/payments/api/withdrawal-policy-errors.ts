// Errors of the withdrawal policy.

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
    text: 'This is a deposit address of your own account',
  },
  withdrawal_address_not_active: {
    status: 403,
    code: 2402,
    text: 'Withdrawals to this address are possible from {until}',
  },
  withdrawal_needs_support: {
    status: 403,
    code: 2403,
    text: 'This withdrawal is not possible. Please contact support',
  },
  transfer_needs_review: {
    status: 403,
    code: 2405,
    text:
      'This transfer would need a review, which transfers to users do not have. Send a smaller ' +
      'amount, or withdraw to an address',
  },
  fiat_needs_bank_account: {
    status: 400,
    code: 2406,
    text: '{currency} is withdrawn only to a verified bank account',
  },
  too_many_open_withdrawals: {
    status: 400,
    code: 2407,
    text: 'Too many of your withdrawals are still open. Wait until one has ended, or cancel one',
  },
} as const satisfies ErrorTable;
