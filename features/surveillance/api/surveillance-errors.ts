// Errors for surveillance. Only operators see them.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const surveillanceErrors = {
  finding_not_found: {
    status: 404,
    code: 2860,
    audience: 'operators',
    text: 'Finding {id} not found',
  },
  finding_taken: {
    status: 409,
    code: 2861,
    audience: 'operators',
    text: 'Finding {id} is assigned to another operator. Reopen it to take it over',
  },
  finding_not_taken: {
    status: 409,
    code: 2862,
    audience: 'operators',
    text: 'Assign finding {id} to yourself before closing it',
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
    text: 'Finding {id} is already in the queue',
  },
  finding_continued: {
    status: 409,
    code: 2865,
    audience: 'operators',
    text: 'A later finding, {id}, continues this one and is not closed',
  },
  finding_result_missing: {
    status: 400,
    code: 2866,
    audience: 'operators',
    text: 'A result is required to close a finding: no_issue, warned, frozen or reported',
  },
  finding_user_not_frozen: {
    status: 409,
    code: 2867,
    audience: 'operators',
    text: 'User {user} is not frozen. Freeze the account first or choose another result',
  },
  finding_not_independent: {
    status: 403,
    code: 2868,
    audience: 'operators',
    text: 'You share a device, phone, document or address with the subject of finding {id}',
  },
  rule_parameters_invalid: {
    status: 400,
    code: 2869,
    audience: 'operators',
    text: 'Invalid parameters for rule {rule}: expected {expected}',
  },
} as const satisfies ErrorTable;
