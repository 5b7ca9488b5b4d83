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
    description: 'With the calls and powers of each.',
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
    summary: 'Create a role; another person approves it',
    description: 'Nobody grants more than they have.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      {
        name: field(Type.String({ minLength: 1, maxLength: 48 }), 'The name of the role.', 'clerk'),
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
    summary: 'Change a role; another person approves it, and its sessions end',
    description: 'Nobody grants more than they have.',
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
    summary: 'Remove a role that nobody has; another person approves it',
    description: 'A role that somebody has is refused.',
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
    summary: 'The calls that a role may list',
    description: 'In the form in which roles list them.',
    tag,
    permission: reads,
    roles: ['auditor'],
    effect: 'read',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    status: 200,
    response: Type.Array(Type.String({ description: 'As `/admin/users:get`.' })),
    example: { response: ['/admin/users:get'] },
  }),
} as const;
