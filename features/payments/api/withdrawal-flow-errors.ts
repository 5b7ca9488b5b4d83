// Errors for requested, confirmed, and reviewed withdrawals, and for address books.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const withdrawalFlowErrors = {
  withdrawal_factor_needed: {
    status: 403,
    code: 2420,
    text:
      'Withdrawals require a second factor. Add an authenticator app or passkey in your ' +
      'security settings',
  },
  withdrawal_terms_changed: {
    status: 400,
    code: 2421,
    text: 'This code does not match the current terms of the withdrawal. Request it again',
  },
  recipient_is_own_account: {
    status: 400,
    code: 2427,
    text: 'The recipient must be another person',
  },
  withdrawal_refused_by_policy: {
    status: 400,
    code: 2422,
    audience: 'operators',
    text: 'The policy now blocks this withdrawal: {rule}. Its state is unchanged',
  },
  withdrawal_of_own_family: {
    status: 403,
    code: 2423,
    audience: 'operators',
    text: 'Another operator must approve this withdrawal: it belongs to you or your account family',
  },
  withdrawal_already_approved: {
    status: 400,
    code: 2424,
    audience: 'operators',
    text: 'You have already approved this withdrawal. It needs another operator',
  },
  withdrawal_approval_needs_factor: {
    status: 403,
    code: 2428,
    audience: 'operators',
    text:
      'Only a person can approve this: log in and send otp_code. API keys cannot approve ' +
      'withdrawals',
  },
  withdrawal_claimed_by_another: {
    status: 400,
    code: 2425,
    audience: 'operators',
    text: 'Another operator has claimed this withdrawal',
  },
  withdrawal_claimed_for_custody: {
    status: 400,
    code: 2430,
    audience: 'operators',
    text: 'Custody pays this withdrawal. Only its payer can release or complete it',
  },
  withdrawal_terms_fixed: {
    status: 400,
    code: 2426,
    audience: 'operators',
    text: 'The address of a withdrawal cannot be changed. Dismiss the withdrawal instead',
  },
  withdrawal_address_lost: {
    status: 400,
    code: 2429,
    audience: 'operators',
    text: 'The address of this withdrawal was lost with the database. Reject it instead',
  },
} as const satisfies ErrorTable;

export const addressBookErrors = {
  address_book_too_long: {
    status: 400,
    code: 2440,
    text: 'The address book can have at most {max} addresses',
  },
  address_book_label_repeated: {
    status: 400,
    code: 2441,
    text: 'Two addresses have the same label: {label}',
  },
  address_book_address_repeated: {
    status: 400,
    code: 2442,
    text: 'This address appears twice: {address}',
  },
} as const satisfies ErrorTable;
