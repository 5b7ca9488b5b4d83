// The state of a dead man's switch: when orders will be cancelled unless it is renewed.

import { type Static, Type } from 'typebox';
import { field, sample, TimestampOrNull } from '../../../protocol/wire/index.ts';

export const DeadManSwitch = Type.Object(
  {
    armed: field(Type.Boolean(), 'Whether the switch is armed.'),
    fires_at: field(
      TimestampOrNull,
      'When the switch cancels the orders, unless it is armed again before. Null if not armed.',
      '2026-01-05T10:01:00.000Z',
    ),
    fired_at: Type.Optional(
      Type.Unsafe<string | null>({ ...TimestampOrNull, description: 'Only in GET.' }),
    ),
    orders_canceled: sample(
      Type.Optional(
        Type.Integer({ description: 'Orders cancelled when it last fired. Only in GET.' }),
      ),
      0,
    ),
  },
  { title: 'DeadManSwitch' },
);
export type DeadManSwitch = Static<typeof DeadManSwitch>;
