// The state of a dead man's switch: when orders will be cancelled unless it is renewed.

import { type Static, Type } from 'typebox';
import { TimestampOrNull } from '../../../protocol/wire/index.ts';

export const DeadManSwitch = Type.Object(
  {
    armed: Type.Boolean(),
    fires_at: TimestampOrNull,
    fired_at: Type.Optional(
      Type.Unsafe<string | null>({ ...TimestampOrNull, description: 'Only in GET.' }),
    ),
    orders_canceled: Type.Optional(
      Type.Integer({ description: 'Orders cancelled when it last fired. Only in GET.' }),
    ),
  },
  { title: 'DeadManSwitch' },
);
export type DeadManSwitch = Static<typeof DeadManSwitch>;
