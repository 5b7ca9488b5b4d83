// Approvals: operators' requests that others must approve, and the votes on them.

import {
  defineRoute,
  FactorCodeIn,
  field,
  listQuery,
  oneOf,
  pagedList,
  person,
  sample,
  Type,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import { APPROVAL_STATES, Approval } from './approval.ts';

const reads = { who: 'operator', scope: 'can_read', sessions: true } as const;
const idIn = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const approvalRoutes = {
  approvals: defineRoute({
    method: 'GET',
    path: '/v2/admin/approvals',
    summary: 'Approval requests that you made, can vote on, or can audit; newest first',
    description: 'Filter by state, action or requester.',
    tag: 'operator',
    permission: reads,
    roles: ['supervisor', 'manager', 'support', 'kyc', 'communicator', 'announcer', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery({
      state: Type.Optional(oneOf(APPROVAL_STATES)),
      requester_id: Type.Optional(idIn),
    }),
    status: 200,
    response: pagedList(Approval),
    isRialtoOnly: true,
  }),
  approval: defineRoute({
    method: 'GET',
    path: '/v2/admin/approval',
    summary: 'One approval request; in a session, voters see its personal values',
    description: 'Includes its votes and the values that voters see.',
    tag: 'operator',
    permission: reads,
    roles: ['supervisor', 'manager', 'support', 'kyc', 'communicator', 'announcer', 'auditor'],
    effect: 'read',
    weight: WEIGHT_ROW,
    query: Type.Object({ id: idIn }),
    status: 200,
    response: Approval,
    isRialtoOnly: true,
  }),
  voteOnApproval: defineRoute({
    method: 'POST',
    path: '/v2/admin/approval/vote',
    summary: "Approve or reject another operator's request",
    description:
      'The hash of the request ensures that you vote on exactly what you read. Retype the amount ' +
      'if there is one.',
    tag: 'operator',
    permission: person,
    roles: ['supervisor'],
    effect: 'write',
    weight: WEIGHT_ROW,
    query: Type.Object({}),
    body: Type.Object({
      id: idIn,
      vote: field(oneOf(['approve', 'reject']), 'Your vote.'),
      payload_hash: Type.String({
        pattern: '^[0-9a-fA-F]{64}$',
        description: 'The hash of the request that you read.',
      }),
      otp_code: FactorCodeIn,
      retyped: sample(
        Type.Optional(
          Type.String({ maxLength: 100, description: 'Amount and unit, for example `10 btc`.' }),
        ),
        '0.5 btc',
      ),
    }),
    status: 200,
    response: Approval,
    isRialtoOnly: true,
  }),
  withdrawApproval: defineRoute({
    method: 'DELETE',
    path: '/v2/admin/approval',
    summary: 'Withdraw your own request',
    description: 'Possible only while the request is pending.',
    tag: 'operator',
    permission: { who: 'operator', scope: 'any', sessions: true },
    roles: ['supervisor', 'manager', 'support', 'kyc', 'communicator', 'announcer', 'auditor'],
    effect: 'write',
    weight: WEIGHT_ROW,
    query: Type.Object({ id: idIn }),
    status: 200,
    response: Approval,
    isRialtoOnly: true,
  }),
} as const;
