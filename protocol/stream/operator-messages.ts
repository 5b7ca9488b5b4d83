// Messages for operators only, on the topic `admin`, which also has the deposits, withdrawals and
// stakes of all users.

import type { Static } from 'typebox';
import { HealthReport } from '../../features/health/api/index.ts';
import { oneOf, StringOrNull, Type } from '../wire/index.ts';
import { type StreamMessage, StreamTime } from './public-messages.ts';

export const HealthMessage = Type.Object(
  { topic: oneOf(['health']), action: oneOf(['update']), data: HealthReport, time: StreamTime },
  { title: 'HealthMessage' },
);
export type HealthMessage = Static<typeof HealthMessage>;

export const DifferenceMessage = Type.Object(
  {
    topic: oneOf(['reconciliation']),
    action: oneOf(['insert', 'delete'], 'insert: a difference opened. delete: it closed.'),
    data: Type.Object(
      {
        check: Type.String(),
        object: Type.String(),
        currency: StringOrNull,
        expected: StringOrNull,
        found: StringOrNull,
      },
      { title: 'DifferenceNews' },
    ),
    time: StreamTime,
  },
  { title: 'DifferenceMessage' },
);
export type DifferenceMessage = Static<typeof DifferenceMessage>;

export const streamOperatorMessages = {
  health: {
    schema: HealthMessage,
    summary:
      'Health of the exchange, for operators: whenever an alarm opens or closes, and every 5 s.',
  },
  difference: {
    schema: DifferenceMessage,
    summary: 'A difference of the reconciliation that opened or closed, for operators.',
  },
} as const satisfies Record<string, StreamMessage>;
