// Errors of what operators do to users: codes 2660 to 2689.

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
    text: 'This is possible for people only, not for sub-accounts or accounts of the exchange',
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
    text: 'Operators cannot do this to their own account; ask another operator',
  },
  act_on_higher_role: {
    status: 403,
    code: 2666,
    audience: 'operators',
    text: 'The user is an operator with permissions that you do not have',
  },
  last_administrator: {
    status: 400,
    code: 2667,
    audience: 'operators',
    text: 'The last administrator cannot be deactivated and keeps the role',
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
    text: 'This role cannot be granted through the interface',
  },
  role_exceeds_own: {
    status: 403,
    code: 2671,
    audience: 'operators',
    text: 'The role has permissions or powers that you do not have yourself',
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
    text: 'expiry_date must be in the future, or null to end the block',
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
    text: 'Invalid discount: send a percentage from 0 to 100 with at most 4 decimals',
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
    text: 'user_meta of the kit has no key {name}',
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
    text: 'Invalid value of the meta key {name}: expected a {type}',
  },
} as const satisfies ErrorTable;
