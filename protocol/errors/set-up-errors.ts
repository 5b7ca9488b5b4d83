// Errors of set-up: the first administrator, roles, the kit, announcements and mails of operators.

import type { ErrorTable } from './error-entry.ts';

export const setUpErrors = {
  setup_token_invalid: {
    status: 403,
    code: 2760,
    audience: 'operators',
    text:
      'Access denied: the token is wrong, or the exchange has an administrator. A server prints ' +
      'a token at its start while there is none',
  },
  setup_email_taken: {
    status: 400,
    code: 2761,
    audience: 'operators',
    text: 'This address has an account. Use another one for the administrator',
  },
} as const satisfies ErrorTable;
