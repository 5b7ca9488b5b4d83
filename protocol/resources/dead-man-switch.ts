// A dead man's switch as its user sees it: when orders will be cancelled unless it is set again.

import { type Static, Type } from 'typebox';
import { TimestampOrNull } from '../wire-types.ts';

export const DeadManSwitch = Type.Object(
  {
    armed: Type.Boolean(),
    fires_at: TimestampOrNull,
    fired_at: TimestampOrNull,
    orders_canceled: Type.Integer({ description: 'By the last time that it fired.' }),
  },
  { title: 'DeadManSwitch' },
);
export type DeadManSwitch = Static<typeof DeadManSwitch>;
