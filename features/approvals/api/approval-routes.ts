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
    summary: 'Requests for approval that you made, may vote on, or audit; the newest first',
    description: 'Filter by state, act or requester.',
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
    summary: 'One request for approval; in a session, voters read its personal values',
    description: 'With its votes and the values that voters see.',
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
    summary: 'Approve or reject a request of another operator',
    description:
      'Names the hash of the request, so that nobody votes for something else. Amounts are typed ' +
      'again.',
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
        description: 'Of the request that you read.',
      }),
      otp_code: FactorCodeIn,
      retyped: sample(
        Type.Optional(
          Type.String({ maxLength: 100, description: 'Amount and unit, as in `10 btc`.' }),
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
    summary: 'Take your own request back',
    description: 'Only while it is pending.',
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
