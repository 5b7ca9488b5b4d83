// Errors for user lookups: budgets, overly wide searches, reveals.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const peopleErrors = {
  lookup_budget_spent: {
    status: 429,
    code: 2640,
    audience: 'operators',
    text: 'Your role has reached its lookup limit. Try again later',
  },
  search_too_wide: {
    status: 403,
    code: 2641,
    audience: 'operators',
    text:
      'Your role can only find users by exact id, email address, order id, transaction id, ' +
      'deposit address or API key',
  },
  reveal_open: {
    status: 400,
    code: 2642,
    audience: 'operators',
    text: 'You already have an open reveal for another user. Wait until it expires',
  },
  reveal_suspended: {
    status: 403,
    code: 2643,
    audience: 'operators',
    text: 'Another operator must review your earlier reveals first',
  },
  reveal_unknown: {
    status: 404,
    code: 2644,
    audience: 'operators',
    text: 'Reveal not found',
  },
  reveal_own: {
    status: 403,
    code: 2645,
    audience: 'operators',
    text: 'A reveal cannot be reviewed by the operator who made it or the user it concerns',
  },
  reveal_reviewed: {
    status: 400,
    code: 2646,
    audience: 'operators',
    text: 'This reveal has already been reviewed',
  },
  bank_search_unsupported: {
    status: 400,
    code: 2647,
    audience: 'operators',
    text: 'Bank account details are encrypted and cannot be searched',
  },
  read_needs_user: {
    status: 403,
    code: 2648,
    audience: 'operators',
    text: 'Your role can only read one user at a time: set user_id',
  },
  filter_confirms_person: {
    status: 403,
    code: 2649,
    audience: 'operators',
    text:
      'Name, birthday, gender, nationality, phone and document filters cannot be combined with ' +
      'a user, search, email address, username or dates, because the result would reveal ' +
      'masked values',
  },
  masked_value: {
    status: 400,
    code: 2651,
    audience: 'operators',
    text: 'Masked values cannot be saved. Send the full value or leave it out',
  },
  export_taken: {
    status: 400,
    code: 2650,
    audience: 'operators',
    text: 'This file has already been downloaded; request it again',
  },
} as const satisfies ErrorTable;
