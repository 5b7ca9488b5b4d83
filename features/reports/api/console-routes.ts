// Console calls for operators in addition to the lists: search, timeline, exports and their hashes.

import {
  defineRoute,
  listIn,
  NO_QUERY,
  oneOf,
  pagedList,
  sample,
  shortListQuery,
  Type,
  textIn,
  UserIdIn,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import {
  EXPORT_STATES,
  ListExport,
  SearchAnswer,
  TIMELINE_TYPES,
  Timeline,
  Work,
} from './console.ts';

const operatorMayRead = { who: 'operator', scope: 'can_read', sessions: true } as const;

export const consoleRoutes = {
  search: defineRoute({
    method: 'GET',
    path: '/v2/admin/search',
    summary: 'Find anything by its id, address, reference or name',
    description: 'Shows only what your role can read.',
    tag: 'operator',
    permission: operatorMayRead,
    roles: ['supervisor', 'manager', 'support', 'kyc', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: Type.Object({
      q: sample(
        textIn({
          minLength: 1,
          maxLength: 254,
          description:
            'An exact number, ID, email address, transaction, address, API key, referral code, ' +
            'bank reference, client order ID, coin or market; with the `pii.search` permission ' +
            'also part of an email address or username, words of a name, a phone or document ' +
            'number.',
        }),
        'ada@example.com',
      ),
    }),
    status: 200,
    response: SearchAnswer,
    isRialtoOnly: true,
  }),
  getWork: defineRoute({
    method: 'GET',
    path: '/v2/admin/work',
    summary: 'Items that wait for your decision, by queue, and the control mode',
    description: 'Your own requests, transfers and reveals are not counted.',
    tag: 'operator',
    permission: operatorMayRead,
    roles: ['supervisor', 'manager', 'support', 'kyc', 'communicator', 'announcer', 'auditor'],
    effect: 'read',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    status: 200,
    response: Work,
    isRialtoOnly: true,
  }),
  getTimeline: defineRoute({
    method: 'GET',
    path: '/v2/admin/user/timeline',
    summary: 'All records about a user except orders and trades, newest first',
    description: 'Logins, sessions, money, actions and emails in one list.',
    tag: 'operator',
    permission: operatorMayRead,
    roles: ['supervisor', 'manager', 'support', 'kyc', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: Type.Object({
      user_id: UserIdIn,
      before: Type.Optional(
        Type.String({ maxLength: 64, description: '`next` of the previous page.' }),
      ),
      limit: shortListQuery({}).properties.limit,
      types: Type.Optional(
        listIn(oneOf(TIMELINE_TYPES), {
          itemsMax: TIMELINE_TYPES.length,
          description: 'Only these types, separated by commas.',
        }),
      ),
    }),
    status: 200,
    response: Timeline,
    lookUp: true,
    isRialtoOnly: true,
  }),
  getExports: defineRoute({
    method: 'GET',
    path: '/v2/admin/exports',
    summary: 'Files and full lists exported by operators, with rows and hash, newest first',
    description: 'Every file is recorded before it is sent.',
    tag: 'operator',
    permission: operatorMayRead,
    roles: ['supervisor', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: shortListQuery({
      id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
      operator_id: Type.Optional(UserIdIn),
      list: Type.Optional(
        textIn({ minLength: 1, maxLength: 64, description: 'For example `orders`.' }),
      ),
      state: Type.Optional(oneOf(EXPORT_STATES)),
      sha256: Type.Optional(
        Type.String({ pattern: '^[0-9a-fA-F]{64}$', description: "Hash of the file's bytes." }),
      ),
    }),
    status: 200,
    response: pagedList(ListExport),
    isRialtoOnly: true,
  }),
} as const;
