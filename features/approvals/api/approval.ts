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
    act: Type.String({
      description: 'The action as named in the audit log, for example `money.mint`.',
    }),
    object: Type.String({ description: 'For example `user 17` or `market btc-usdt`.' }),
    state: oneOf(
      APPROVAL_STATES,
      '`stale`: the object or a threshold changed after the request. `failed`: the action was ' +
        'rejected when it was executed.',
    ),
    reason: StringOrNull,
    requester_id: Type.Integer(),
    requester_role: field(Type.String(), 'The role of the requesting operator.', 'admin'),
    needed: sample(Type.Integer({ description: 'Number of approvals required.' }), 1),
    approvals: sample(Type.Integer({ description: 'Approvals so far.' }), 0),
    shown: Type.Array(Type.Object({ label: Type.String(), value: Type.String() }), {
      description: 'Read this before you vote.',
    }),
    payload: { ...FreeObject, description: 'Personal values are left out while they are sealed.' },
    personal: oneOf(
      ['none', 'sealed', 'open', 'erased'],
      'State of the personal values. `sealed`: left out, in lists, for API keys and for ' +
        'operators who cannot vote. `open`: included in this response; the lookup is recorded. ' +
        "`erased`: erased with the user's data.",
    ),
    payload_hash: Type.String({ description: 'Send it with your vote.' }),
    value: StringOrNull,
    retype: Type.Boolean({ description: 'Whether voters must retype the amount and its unit.' }),
    result: Type.Unsafe<unknown>({ description: 'The result, once executed.' }),
    created_at: Timestamp,
    expires_at: Timestamp,
    ended_at: TimestampOrNull,
  },
  { title: 'Approval' },
);
export type Approval = Static<typeof Approval>;
