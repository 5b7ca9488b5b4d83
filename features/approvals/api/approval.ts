// A request for approval: an operator's action pending votes by other operators.

import type { Static } from 'typebox';
import {
  FreeObject,
  field,
  oneOf,
  StringOrNull,
  sample,
  Timestamp,
  TimestampOrNull,
  Type,
} from '../../../protocol/wire/index.ts';

/** Response to a pending action. */
export const PendingApproval = Type.Object(
  {
    message: Type.Literal('Pending approval'),
    approval_id: Type.Integer({ description: 'For `GET /v2/admin/approval`.' }),
    status: Type.Literal(false),
    waiting: Type.Literal(true),
  },
  { title: 'PendingApproval' },
);
export type PendingApproval = Static<typeof PendingApproval>;

export const APPROVAL_STATES = [
  'pending',
  'executed',
  'failed',
  'rejected',
  'expired',
  'withdrawn',
  'stale',
] as const;

export const Approval = Type.Object(
  {
    id: Type.Integer(),
    act: Type.String({ description: 'As in the audit: `money.mint`.' }),
    object: Type.String({ description: '`user 17`, `market btc-usdt`.' }),
    state: oneOf(
      APPROVAL_STATES,
      '`stale`: the object or a threshold changed after the request. `failed`: the act was ' +
        'refused when it was executed.',
    ),
    reason: StringOrNull,
    requester_id: Type.Integer(),
    requester_role: field(Type.String(), 'The role of the operator who asked.', 'admin'),
    needed: sample(Type.Integer({ description: 'Approvals that are needed.' }), 1),
    approvals: sample(Type.Integer({ description: 'Approvals so far.' }), 0),
    shown: Type.Array(Type.Object({ label: Type.String(), value: Type.String() }), {
      description: 'Read this before you vote.',
    }),
    payload: { ...FreeObject, description: 'Without personal values while they are sealed.' },
    personal: oneOf(
      ['none', 'sealed', 'open', 'erased'],
      'Personal values of the request. `sealed`: in a list, for an API key, and for those who do ' +
        'not vote on it; their lines are empty. `open`: this answer has them, and the look-up is ' +
        'recorded. `erased`: with the person.',
    ),
    payload_hash: Type.String({ description: 'Send it with the vote.' }),
    value: StringOrNull,
    retype: Type.Boolean({ description: 'Voters must retype the amount and its unit.' }),
    result: Type.Unsafe<unknown>({ description: 'The outcome, once executed.' }),
    created_at: Timestamp,
    expires_at: Timestamp,
    ended_at: TimestampOrNull,
  },
  { title: 'Approval' },
);
export type Approval = Static<typeof Approval>;
