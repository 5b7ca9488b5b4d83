// The resumable topic: a user's orders, trades and balances in one sequence, and cancel on
// disconnect. docs/api/stream.md describes the members.

import { Order } from '../../features/trading/api/index.ts';
import { oneOf, Type } from '../wire/index.ts';
import { OrderMessage, UserTradesMessage, WalletMessage } from './private-messages.ts';
import { type StreamMessage, StreamTime } from './public-messages.ts';
import { CANCEL_ON_DISCONNECT_MAX, CANCEL_ON_DISCONNECT_MIN } from './stream-limits.ts';

const Sequence = Type.String({
  pattern: '^(?:0|[1-9][0-9]*)[.](?:0|[1-9][0-9]*)$',
  description: 'A frame of the log and an event in it. Compare as two numbers.',
});

const AllOrdersMessage = Type.Object(
  {
    topic: oneOf(['order']),
    action: oneOf(['partial']),
    user_id: Type.Integer(),
    data: Type.Array(Order, { description: 'All open orders, oldest first.' }),
    time: StreamTime,
  },
  { title: 'AllOrdersMessage', additionalProperties: false },
);

export const PrivateMessage = Type.Object(
  {
    topic: oneOf(['private']),
    action: oneOf(['snapshot', 'resumed', 'event']),
    user_id: Type.Integer(),
    sequence: Sequence,
    previous: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The sequence of the previous message; null in a snapshot.',
    }),
    time: StreamTime,
    checksum: Type.Integer({
      minimum: 0,
      maximum: 0xffff_ffff,
      description: 'CRC-32 of the texts of all data since the last snapshot or resumption.',
    }),
    data: Type.Array(
      Type.Union([AllOrdersMessage, OrderMessage, UserTradesMessage, WalletMessage]),
    ),
  },
  { title: 'PrivateMessage', additionalProperties: false },
);

export const streamResumableMessages = {
  private: {
    schema: PrivateMessage,
    summary: 'All your events in one sequence: a snapshot or a resumption, then each event.',
  },
} as const satisfies Record<string, StreamMessage>;

export const StreamResume = Type.Object(
  { op: oneOf(['subscribe']), args: Type.Array(oneOf(['private'])), resume_from: Sequence },
  { title: 'StreamResume' },
);

export const StreamCancelOnDisconnect = Type.Object(
  {
    op: oneOf(['cancel_on_disconnect']),
    args: Type.Array(
      Type.Object({
        timeout: Type.Integer({
          minimum: 0,
          maximum: CANCEL_ON_DISCONNECT_MAX,
          description: `Seconds, at least ${CANCEL_ON_DISCONNECT_MIN}; 0 turns it off.`,
        }),
      }),
      { minItems: 1, maxItems: 1 },
    ),
  },
  { title: 'StreamCancelOnDisconnect' },
);

export const streamResumableClientMessages = {
  resume: {
    schema: StreamResume,
    summary: 'Resume your events after the last message that you applied.',
    example: { op: 'subscribe', args: ['private'], resume_from: '12.3' },
  },
  cancelOnDisconnect: {
    schema: StreamCancelOnDisconnect,
    summary: 'Cancel the orders of your key when this socket closes.',
    example: { op: 'cancel_on_disconnect', args: [{ timeout: 30 }] },
  },
} as const satisfies Record<string, StreamMessage>;
