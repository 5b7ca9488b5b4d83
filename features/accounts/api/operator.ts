// An operator: a user with a role.

import { type Static, Type } from 'typebox';
import { field, Timestamp, TimestampOrNull } from '../../../protocol/wire/index.ts';

export const OperatorRow = Type.Object(
  {
    id: Type.Integer(),
    email: Type.String(),
    username: Type.String(),
    role: Type.String(),
    activated: Type.Boolean(),
    otp_enabled: Type.Boolean({ description: 'Whether the operator has a one-time password.' }),
    role_since: field(TimestampOrNull, 'Since when the user has the role; null without one.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Operator' },
);
export type OperatorRow = Static<typeof OperatorRow>;
