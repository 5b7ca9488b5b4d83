// Errors for operator actions on users: codes 2660–2689.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const userActErrors = {
  user_is_erased: {
    status: 400,
    code: 2660,
    audience: 'operators',
    text: 'The user has been erased',
  },
  user_is_no_person: {
    status: 400,
    code: 2661,
    audience: 'operators',
    text: 'This is only possible for people, not for sub-accounts or house accounts',
  },
  user_not_in_use: {
    status: 400,
    code: 2662,
    audience: 'operators',
    text: 'The account is not in use: its state is {state}',
  },
  user_not_frozen: {
    status: 400,
    code: 2663,
    audience: 'operators',
    text: 'The account is not deactivated',
  },
  user_not_deleted: {
    status: 400,
    code: 2664,
    audience: 'operators',
    text: 'The account is not deleted',
  },
  act_on_own_account: {
    status: 403,
    code: 2665,
    audience: 'operators',
    text: 'You cannot do this to your own account; ask another operator',
  },
  act_on_higher_role: {
    status: 403,
    code: 2666,
    audience: 'operators',
    text: 'This user is an operator with permissions you do not have',
  },
  last_administrator: {
    status: 400,
    code: 2667,
    audience: 'operators',
    text: 'The last administrator cannot be deactivated or lose the role',
  },
  role_unknown: {
    status: 400,
    code: 2668,
    audience: 'operators',
    text: 'Unknown role: {role}',
  },
  role_unchanged: {
    status: 400,
    code: 2669,
    audience: 'operators',
    text: 'The user already has this role',
  },
  role_not_grantable: {
    status: 403,
    code: 2670,
    audience: 'operators',
    text: 'This role cannot be granted through the API',
  },
  role_exceeds_own: {
    status: 403,
    code: 2671,
    audience: 'operators',
    text: 'The role has permissions you do not have yourself',
  },
  user_has_no_factor: {
    status: 400,
    code: 2672,
    audience: 'operators',
    text: 'The user has no second factor',
  },
  block_end_in_past: {
    status: 400,
    code: 2673,
    audience: 'operators',
    text: 'expiry_date must be in the future, or null to remove the block',
  },
  level_unknown: {
    status: 400,
    code: 2674,
    audience: 'operators',
    text: 'Unknown verification level: {level}',
  },
  discount_invalid: {
    status: 400,
    code: 2675,
    audience: 'operators',
    text: 'Invalid discount: use a percentage from 0 to 100 with at most 4 decimals',
  },
  discount_unchanged: {
    status: 400,
    code: 2676,
    audience: 'operators',
    text: 'The user already has this discount',
  },
  meta_key_unknown: {
    status: 400,
    code: 2677,
    audience: 'operators',
    text: 'The kit has no user_meta key {name}',
  },
  meta_key_required: {
    status: 400,
    code: 2678,
    audience: 'operators',
    text: 'The meta key {name} is required',
  },
  meta_value_invalid: {
    status: 400,
    code: 2679,
    audience: 'operators',
    text: 'Invalid value for meta key {name}: expected a {type}',
  },
} as const satisfies ErrorTable;
