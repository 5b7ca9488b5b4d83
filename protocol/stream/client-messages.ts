// Messages that a client can send on a socket.

import { oneOf, Type } from '../wire/index.ts';
import type { StreamMessage } from './public-messages.ts';
import { streamResumableClientMessages } from './resumable-messages.ts';
import { STREAM_ARGS_MAX, STREAM_TOPIC_LENGTH_MAX } from './stream-limits.ts';

const CREDENTIAL_LENGTH_MAX = 256;

const Channels = Type.Array(Type.String({ maxLength: STREAM_TOPIC_LENGTH_MAX }), {
  maxItems: STREAM_ARGS_MAX,
  description: 'Topics, each alone or with a colon and a symbol: `orderbook:btc-usdt`.',
});
const Credential = Type.String({ maxLength: CREDENTIAL_LENGTH_MAX });

export const StreamSubscribe = Type.Object(
  { op: oneOf(['subscribe']), args: Channels },
  { title: 'StreamSubscribe' },
);

export const StreamUnsubscribe = Type.Object(
  { op: oneOf(['unsubscribe']), args: Channels },
  { title: 'StreamUnsubscribe' },
);

export const StreamPing = Type.Object({ op: oneOf(['ping']) }, { title: 'StreamPing' });

export const StreamAuth = Type.Object(
  {
    op: oneOf(['auth']),
    args: Type.Array(
      Type.Object({
        authorization: Type.Optional(Credential),
        'api-key': Type.Optional(Credential),
        'api-signature': Type.Optional(Credential),
        'api-expires': Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
      }),
      { minItems: 1, maxItems: 1 },
    ),
  },
  { title: 'StreamAuth' },
);

export const streamClientMessages = {
  subscribe: {
    schema: StreamSubscribe,
    summary: 'Subscribe to topics. Answered by their first messages, or by an error.',
    example: { op: 'subscribe', args: ['orderbook:btc-usdt', 'trade'] },
  },
  unsubscribe: {
    schema: StreamUnsubscribe,
    summary: 'Unsubscribe from topics. Answered by a notice for each channel.',
    example: { op: 'unsubscribe', args: ['orderbook:btc-usdt'] },
  },
  ping: {
    schema: StreamPing,
    summary: 'Keep the connection open. Answered by `pong`.',
    example: { op: 'ping' },
  },
  auth: {
    schema: StreamAuth,
    summary: 'Authenticate, if the URL did not: a bearer token, or a signature.',
    example: { op: 'auth', args: [{ authorization: 'Bearer TOKEN' }] },
  },
  ...streamResumableClientMessages,
} as const satisfies Record<string, StreamMessage>;
