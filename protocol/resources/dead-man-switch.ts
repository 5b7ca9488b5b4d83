// A dead man's switch as its user sees it: when orders will be cancelled unless it is set again.

import { type Static, Type } from 'typebox';
import { TimestampOrNull } from '../wire-types.ts';

export const DeadManSwitch = Type.Object(
  {
    armed: Type.Boolean(),
    fires_at: TimestampOrNull,
    fired_at: Type.Optional(
      Type.Unsafe<string | null>({ ...TimestampOrNull, description: 'Only when it is read.' }),
    ),
    orders_canceled: Type.Optional(
      Type.Integer({ description: 'By the last time that it fired. Only when it is read.' }),
    ),
  },
  { title: 'DeadManSwitch' },
);
export type DeadManSwitch = Static<typeof DeadManSwitch>;
