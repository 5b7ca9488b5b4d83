// Errors of set-up: the first administrator, roles, the kit, announcements and mails of operators.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

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
  control_mode_unchanged: {
    status: 400,
    code: 2762,
    audience: 'operators',
    text: 'The exchange is in this mode: {mode}',
  },
  administrators_too_few: {
    status: 400,
    code: 2763,
    audience: 'operators',
    text: 'Two administrators with second factors are needed; the exchange has {count}',
  },
  control_mode_noticed: {
    status: 400,
    code: 2799,
    audience: 'operators',
    text: 'The exchange changes to solo mode at {from}',
  },
  thresholds_reversed: {
    status: 400,
    code: 2765,
    audience: 'operators',
    text: 'Two approvals cannot be needed below the amount from which one is needed',
  },
  thresholds_currency_unknown: {
    status: 400,
    code: 2798,
    audience: 'operators',
    text: 'Thresholds cannot be in {currency}: expected a coin with a price in {present}',
  },
  role_not_found: { status: 404, code: 2766, audience: 'operators', text: 'Role not found' },
  role_protected: {
    status: 403,
    code: 2767,
    audience: 'operators',
    text: 'The role admin cannot be changed or removed',
  },
  role_name_invalid: {
    status: 400,
    code: 2768,
    audience: 'operators',
    text: 'A role needs a name of lower-case letters, digits, - and _, other than admin and user',
  },
  role_name_taken: {
    status: 400,
    code: 2769,
    audience: 'operators',
    text: 'A role has this name: {name}',
  },
  role_call_unknown: {
    status: 400,
    code: 2770,
    audience: 'operators',
    text: 'No call of operators is named {name}. GET /admin/endpoints lists them',
  },
  role_power_unknown: {
    status: 400,
    code: 2771,
    audience: 'operators',
    text: 'No power is named {name}',
  },
  role_beyond_own: {
    status: 403,
    code: 2772,
    audience: 'operators',
    text: 'You can only grant what your own role has. It lacks {name}',
  },
  role_in_use: {
    status: 400,
    code: 2773,
    audience: 'operators',
    text: '{count} users have this role. Give them another one first',
  },
  roles_too_many: {
    status: 400,
    code: 2774,
    audience: 'operators',
    text: 'The exchange has reached the limit of {max} roles',
  },
  kit_change_empty: {
    status: 400,
    code: 2775,
    audience: 'operators',
    text: 'Give at least one key of the kit',
  },
  kit_key_invalid: {
    status: 400,
    code: 2776,
    audience: 'operators',
    text: 'A key of the kit has lower-case letters, digits and _: {name}',
  },
  kit_key_elsewhere: {
    status: 400,
    code: 2777,
    audience: 'operators',
    text: 'The key {name} is changed by {call}',
  },
  kit_value_invalid: {
    status: 400,
    code: 2778,
    audience: 'operators',
    text: 'The key {name} must be of this form: {form}',
  },
  kit_key_closed: {
    status: 403,
    code: 2779,
    audience: 'operators',
    text: 'Your role may not write this key of the kit: {name}',
  },
  kit_too_large: {
    status: 400,
    code: 2780,
    audience: 'operators',
    text: 'The kit would have more than {max} bytes',
  },
  kit_secrets_elsewhere: {
    status: 400,
    code: 2781,
    audience: 'operators',
    text: 'The kit holds no secrets: servers read theirs from their environment',
  },
  user_meta_name_invalid: {
    status: 400,
    code: 2782,
    audience: 'operators',
    text: "The name of a field of users' meta has up to 64 letters, digits, - and _",
  },
  user_meta_exists: {
    status: 400,
    code: 2783,
    audience: 'operators',
    text: "Users' meta has this field: {name}",
  },
  user_meta_not_found: {
    status: 404,
    code: 2784,
    audience: 'operators',
    text: "Users' meta has no such field: {name}",
  },
  user_meta_too_many: {
    status: 400,
    code: 2785,
    audience: 'operators',
    text: "Users' meta has reached the limit of {max} fields",
  },
  announcement_invalid: {
    status: 400,
    code: 2786,
    audience: 'operators',
    text: 'Invalid announcement: {detail}',
  },
  announcement_unknown: {
    status: 404,
    code: 2787,
    audience: 'operators',
    text: 'Announcement not found',
  },
  mail_refused: { status: 400, code: 2788, audience: 'operators', text: '{detail}' },
  not_offered: {
    status: 501,
    code: 2789,
    audience: 'operators',
    text: 'Rialto does not offer this: {detail}',
  },
} as const satisfies ErrorTable;
