// Custody for operators: state, and decisions that the watcher leaves to them.

import {
  defineRoute,
  Message,
  NO_QUERY,
  Type,
  UserIdIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import { CustodyState, DepositAttributed } from './custody.ts';

const NoteIn = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Your findings, for the audit log.',
});

export const custodyRoutes = {
  getCustody: defineRoute({
    method: 'GET',
    path: '/v2/admin/custody',
    summary: 'Networks under custody, their queues, and deposits that credit no user',
    description: 'Empty without custody.',
    tag: 'operator',
    permission: { who: 'operator', scope: 'can_read', sessions: true },
    roles: ['supervisor', 'manager', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: NO_QUERY,
    status: 200,
    response: CustodyState,
    isRialtoOnly: true,
  }),
  attributeCustodyDeposit: defineRoute({
    method: 'POST',
    path: '/v2/admin/custody/attribute',
    summary: 'Credit an unattributed deposit to a user',
    description:
      'For coins that arrived at a deposit address without a transfer that can be credited ' +
      'automatically. The deposit is credited once.',
    tag: 'operator',
    permission: { who: 'operator', scope: 'any', sessions: true },
    roles: ['manager'],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        id: Type.Integer({ minimum: 1, description: 'The unattributed deposit.' }),
        user_id: UserIdIn,
        note: NoteIn,
      },
      { title: 'CustodyAttributeIn' },
    ),
    status: 200,
    response: DepositAttributed,
    mayWait: true,
    isRialtoOnly: true,
  }),
  resumeCustodyNetwork: defineRoute({
    method: 'POST',
    path: '/v2/admin/custody/resume',
    summary: 'Resume a halted network after its cause is repaired',
    description:
      'The watcher continues after the last recorded block. It halts again if the cause remains.',
    tag: 'operator',
    permission: { who: 'operator', scope: 'any', sessions: true, personOnly: true },
    roles: [],
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        network: Type.String({ minLength: 1, maxLength: 40, description: 'The halted network.' }),
        note: NoteIn,
      },
      { title: 'CustodyResumeIn' },
    ),
    status: 200,
    response: Message,
    mayWait: true,
    isRialtoOnly: true,
  }),
};
