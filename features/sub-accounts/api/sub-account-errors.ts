// Errors for sub-accounts and shared accounts.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const subAccountErrors = {
  sub_account_not_found: { status: 404, code: 2480, text: 'Sub-account not found' },
  sub_account_label_taken: {
    status: 400,
    code: 2481,
    text: 'You already have a sub-account with this label',
  },
  sub_accounts_too_many: {
    status: 400,
    code: 2482,
    text: 'You have reached the limit of {max} sub-accounts',
  },
  sub_accounts_ever_too_many: {
    status: 400,
    code: 2492,
    text: 'You have created {max} sub-accounts, the maximum. Removed sub-accounts count too',
  },
  sub_account_not_empty: {
    status: 400,
    code: 2483,
    text: 'The sub-account cannot be removed because it still has: {detail}',
  },
  sub_account_not_allowed: {
    status: 403,
    code: 2484,
    text: 'Sub-accounts and shared accounts cannot do this',
  },
  sub_account_has_no_login: {
    status: 400,
    code: 2485,
    text: 'Sub-accounts have no login. Leave out email and password',
  },
  sub_account_not_ready: {
    status: 503,
    code: 2486,
    text: 'The sub-account is being set up. Try again in a few seconds',
  },
  shared_account_not_found: { status: 404, code: 2487, text: 'Shared account not found' },
  shared_accounts_too_many: {
    status: 400,
    code: 2488,
    text: 'You can share your account with at most {max} people',
  },
  shared_account_exists: {
    status: 400,
    code: 2489,
    text: 'You already share your account with this person',
  },
  shared_account_with_yourself: {
    status: 400,
    code: 2490,
    text: 'You cannot share your account with yourself',
  },
  shared_account_paused: {
    status: 403,
    code: 2491,
    text: 'Access to this account is paused',
  },
} as const satisfies ErrorTable;
