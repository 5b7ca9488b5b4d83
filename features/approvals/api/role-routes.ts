// Operator roles, and the calls that they can list.

import {
  act,
  defineRoute,
  field,
  Message,
  NO_QUERY,
  OPERATOR_BODY_BYTES_MAX,
  pagedList,
  person,
  Type,
  WEIGHT_LIGHT,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import { Role, roleContentIn } from './role.ts';

const tag = 'operator';
const reads = { who: 'operator', scope: 'can_read', sessions: true } as const;

export const roleRoutes = {
  getRoles: defineRoute({
    method: 'GET',
    path: '/v2/admin/role',
    summary: 'All roles',
    description: 'Includes the endpoints and permissions of each role.',
    tag,
    permission: reads,
    roles: ['auditor'],
    effect: 'read',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    status: 200,
    response: pagedList(Role),
  }),
  createRole: defineRoute({
    method: 'POST',
    path: '/v2/admin/role',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Create a role; another operator approves it',
    description: 'You can grant only permissions that you have.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      {
        name: field(Type.String({ minLength: 1, maxLength: 48 }), 'The role name.', 'clerk'),
        ...roleContentIn,
      },
      { title: 'RoleIn', additionalProperties: false },
    ),
    response: Role,
    mayWait: true,
  }),
  changeRole: defineRoute({
    method: 'PUT',
    path: '/v2/admin/role',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Change a role; another operator approves it, and sessions of the role end',
    description: 'You can grant only permissions that you have.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      { id: Type.Integer(), ...roleContentIn },
      { title: 'RoleChangeIn', additionalProperties: false },
    ),
    response: Role,
    mayWait: true,
  }),
  removeRole: defineRoute({
    method: 'DELETE',
    path: '/v2/admin/role',
    summary: 'Remove an unused role; another operator approves it',
    description: 'Rejected if any user has the role.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      { id: Type.Integer(), otp_code: roleContentIn.otp_code },
      { title: 'RoleRemovalIn', additionalProperties: false },
    ),
    response: Message,
    mayWait: true,
  }),
  getEndpoints: defineRoute({
    method: 'GET',
    path: '/v2/admin/endpoints',
    summary: 'The endpoints that a role can list',
    description: 'In the format used by roles.',
    tag,
    permission: reads,
    roles: ['auditor'],
    effect: 'read',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    status: 200,
    response: Type.Array(Type.String({ description: 'For example `/admin/users:get`.' })),
    example: { response: ['/admin/users:get'] },
  }),
} as const;
