// Errors for setup: first administrator, roles, kit, announcements and operator emails.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const setUpErrors = {
  setup_token_invalid: {
    status: 403,
    code: 2760,
    audience: 'operators',
    text:
      'Access denied: the token is wrong, or the exchange already has an administrator. While ' +
      'there is none, a server prints a token at startup',
  },
  setup_email_taken: {
    status: 400,
    code: 2761,
    audience: 'operators',
    text: 'This email address already has an account. Use another one for the administrator',
  },
  control_mode_unchanged: {
    status: 400,
    code: 2762,
    audience: 'operators',
    text: 'The exchange is already in this mode: {mode}',
  },
  administrators_too_few: {
    status: 400,
    code: 2763,
    audience: 'operators',
    text: 'At least two administrators with second factors are required; the exchange has {count}',
  },
  control_mode_noticed: {
    status: 400,
    code: 2799,
    audience: 'operators',
    text: 'A change to solo mode is already scheduled for {from}',
  },
  thresholds_reversed: {
    status: 400,
    code: 2765,
    audience: 'operators',
    text: 'The threshold for two approvals must not be below the threshold for one',
  },
  thresholds_currency_unknown: {
    status: 400,
    code: 2798,
    audience: 'operators',
    text: 'Thresholds cannot be set in {currency}: choose a coin with a price in {present}',
  },
  role_not_found: { status: 404, code: 2766, audience: 'operators', text: 'Role not found' },
  role_protected: {
    status: 403,
    code: 2767,
    audience: 'operators',
    text: 'The admin role cannot be changed or removed',
  },
  role_name_invalid: {
    status: 400,
    code: 2768,
    audience: 'operators',
    text:
      'A role name may contain lowercase letters, digits, - and _ and must not be admin or ' +
      'user',
  },
  role_name_taken: {
    status: 400,
    code: 2769,
    audience: 'operators',
    text: 'A role named {name} already exists',
  },
  role_call_unknown: {
    status: 400,
    code: 2770,
    audience: 'operators',
    text: 'Unknown operator endpoint: {name}. GET /admin/endpoints lists them all',
  },
  role_power_unknown: {
    status: 400,
    code: 2771,
    audience: 'operators',
    text: 'Unknown permission: {name}',
  },
  role_beyond_own: {
    status: 403,
    code: 2772,
    audience: 'operators',
    text: 'You can only grant permissions your own role has. It does not have {name}',
  },
  role_in_use: {
    status: 400,
    code: 2773,
    audience: 'operators',
    text: '{count} users have this role. Assign them another role first',
  },
  roles_too_many: {
    status: 400,
    code: 2774,
    audience: 'operators',
    text: 'The exchange has reached the maximum of {max} roles',
  },
  kit_change_empty: {
    status: 400,
    code: 2775,
    audience: 'operators',
    text: 'Provide at least one kit key',
  },
  kit_key_invalid: {
    status: 400,
    code: 2776,
    audience: 'operators',
    text: 'A kit key may contain lowercase letters, digits and _: {name}',
  },
  kit_key_elsewhere: {
    status: 400,
    code: 2777,
    audience: 'operators',
    text: 'Use {call} to change the key {name}',
  },
  kit_value_invalid: {
    status: 400,
    code: 2778,
    audience: 'operators',
    text: 'Invalid value for {name}: expected {form}',
  },
  kit_key_closed: {
    status: 403,
    code: 2779,
    audience: 'operators',
    text: 'Your role cannot change this kit key: {name}',
  },
  kit_too_large: {
    status: 400,
    code: 2780,
    audience: 'operators',
    text: 'The kit would exceed {max} bytes',
  },
  kit_secrets_elsewhere: {
    status: 400,
    code: 2781,
    audience: 'operators',
    text: 'The kit does not store secrets. Servers read them from their environment',
  },
  user_meta_name_invalid: {
    status: 400,
    code: 2782,
    audience: 'operators',
    text: 'A user meta field name may have up to 64 letters, digits, - and _',
  },
  user_meta_exists: {
    status: 400,
    code: 2783,
    audience: 'operators',
    text: 'The user meta field {name} already exists',
  },
  user_meta_not_found: {
    status: 404,
    code: 2784,
    audience: 'operators',
    text: 'User meta field not found: {name}',
  },
  user_meta_too_many: {
    status: 400,
    code: 2785,
    audience: 'operators',
    text: 'User meta has reached the maximum of {max} fields',
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
    text: 'Rialto does not support this: {detail}',
  },
} as const satisfies ErrorTable;
