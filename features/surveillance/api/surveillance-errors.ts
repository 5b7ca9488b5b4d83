// Errors of surveillance. Only operators see them.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const surveillanceErrors = {
  finding_not_found: {
    status: 404,
    code: 2860,
    audience: 'operators',
    text: 'There is no finding {id}',
  },
  finding_taken: {
    status: 409,
    code: 2861,
    audience: 'operators',
    text: 'Another operator has taken finding {id}. Reopen it to take it over',
  },
  finding_not_taken: {
    status: 409,
    code: 2862,
    audience: 'operators',
    text: 'Take finding {id} before you close it',
  },
  finding_closed: {
    status: 409,
    code: 2863,
    audience: 'operators',
    text: 'Finding {id} is closed. Reopen it first',
  },
  finding_open: {
    status: 409,
    code: 2864,
    audience: 'operators',
    text: 'Finding {id} is in the queue already',
  },
  finding_continued: {
    status: 409,
    code: 2865,
    audience: 'operators',
    text: 'Finding {id} continues it and is not closed',
  },
  finding_result_missing: {
    status: 400,
    code: 2866,
    audience: 'operators',
    text: 'A finding is closed with a result: no_issue, warned, frozen or reported',
  },
  finding_user_not_frozen: {
    status: 409,
    code: 2867,
    audience: 'operators',
    text: 'User {user} is not frozen. Freeze the account first, or choose another result',
  },
  finding_not_independent: {
    status: 403,
    code: 2868,
    audience: 'operators',
    text: 'Your account and the subject of finding {id} share a device, phone, document or address',
  },
  rule_parameters_invalid: {
    status: 400,
    code: 2869,
    audience: 'operators',
    text: 'The rule {rule} has these parameters: {expected}',
  },
} as const satisfies ErrorTable;
