// Errors of looking up people: budgets, searches that are too wide, the break glass.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const peopleErrors = {
  lookup_budget_spent: {
    status: 429,
    code: 2640,
    audience: 'operators',
    text: 'Your role may look up no more people now. Try again later',
  },
  search_too_wide: {
    status: 403,
    code: 2641,
    audience: 'operators',
    text:
      'Your role finds users only by a whole id, e-mail address, order id, transaction id, ' +
      'deposit address or API key',
  },
  reveal_open: {
    status: 400,
    code: 2642,
    audience: 'operators',
    text: 'You have revealed another person. Wait until that reveal ends',
  },
  reveal_suspended: {
    status: 403,
    code: 2643,
    audience: 'operators',
    text: 'Another person must review your earlier reveals first',
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
    text: 'Neither the operator nor the person concerned reviews a reveal',
  },
  reveal_reviewed: {
    status: 400,
    code: 2646,
    audience: 'operators',
    text: 'This reveal has been reviewed',
  },
  bank_search_unsupported: {
    status: 400,
    code: 2647,
    audience: 'operators',
    text: 'Values of bank accounts are sealed: users cannot be found by them',
  },
  read_needs_user: {
    status: 403,
    code: 2648,
    audience: 'operators',
    text: 'Your role reads one user at a time: name one with user_id',
  },
  filter_confirms_person: {
    status: 403,
    code: 2649,
    audience: 'operators',
    text:
      'Name, birthday, gender, nationality, phone and document do not filter together with a ' +
      'user, a search, an e-mail address, a username or dates: the answer would tell what is ' +
      'masked',
  },
  masked_value: {
    status: 400,
    code: 2651,
    audience: 'operators',
    text: 'A mask of another value is not stored. Send the whole value, or leave it out',
  },
  export_taken: {
    status: 400,
    code: 2650,
    audience: 'operators',
    text: 'This file has been taken already; ask for it again',
  },
} as const satisfies ErrorTable;
