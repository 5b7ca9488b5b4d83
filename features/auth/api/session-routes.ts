// The request's own session: whether it is valid, and logout.

import {
  defineRoute,
  Message,
  NO_QUERY,
  WEIGHT_LIGHT,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';

const anySession = { who: 'person', anySession: true } as const;

export const sessionRoutes = {
  verifyToken: defineRoute({
    method: 'GET',
    path: '/v2/verify-token',
    summary: 'Whether the session of the request is valid',
    description: 'Returns 401 if it is not.',
    tag: 'user',
    permission: anySession,
    effect: 'read',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    status: 200,
    response: Message,
  }),
  logout: defineRoute({
    method: 'GET',
    path: '/v2/logout',
    summary: 'End the session of the request',
    description: 'Every gateway rejects the token within a second.',
    tag: 'user',
    permission: anySession,
    effect: 'write',
    worksReadOnly: true,
    worksStopped: true,
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    status: 200,
    response: Message,
  }),
} as const;
