// Calls of the operators' console beside the lists: exports and their hashes.

import { Type } from 'typebox';
import { EXPORT_STATES, ListExport } from '../resources/console.ts';
import { pagedList, shortListQuery } from '../resources/paged-list.ts';
import { defineRoute } from '../route.ts';
import { WEIGHT_LIST } from '../weights.ts';
import { oneOf, textIn } from '../wire-types.ts';
import { UserIdIn } from './transfer-inputs.ts';

const operatorMayRead = { who: 'operator', scope: 'can_read', sessions: true } as const;

export const consoleRoutes = {
  getExports: defineRoute({
    method: 'GET',
    path: '/v2/admin/exports',
    summary: 'Files and whole lists that operators took, with rows and hash, newest first',
    tag: 'operator',
    permission: operatorMayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: shortListQuery({
      id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
      operator_id: Type.Optional(UserIdIn),
      list: Type.Optional(textIn({ minLength: 1, maxLength: 64, description: '`orders`.' })),
      state: Type.Optional(oneOf(EXPORT_STATES)),
      sha256: Type.Optional(
        Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: 'Of the bytes of the file.' }),
      ),
    }),
    status: 200,
    response: pagedList(ListExport),
    isRialtoOnly: true,
  }),
} as const;
