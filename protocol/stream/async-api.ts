// Generates the AsyncAPI document from the stream messages. It contains nothing else.

import { hoisted, type Json } from '../hoisted-schemas.ts';
import { streamClientMessages } from './client-messages.ts';
import { streamLevelMessages } from './level-messages.ts';
import { streamOperatorMessages } from './operator-messages.ts';
import { streamPrivateMessages } from './private-messages.ts';
import { type StreamMessage, streamPublicMessages } from './public-messages.ts';
import { streamResumableMessages } from './resumable-messages.ts';
import { STREAM_IDLE_MS, STREAM_MESSAGE_BYTES_MAX, STREAM_PATH } from './stream-limits.ts';
import { streamTexts } from './stream-texts.ts';

/**
 * Messages that the server sends, by name. The document and the client are generated from this
 * list.
 */
export { streamClientMessages };

export const streamServerMessages = {
  ...streamPublicMessages,
  ...streamLevelMessages,
  ...streamPrivateMessages,
  ...streamOperatorMessages,
  ...streamResumableMessages,
} as const;

const ASYNCAPI_VERSION = '3.0.0';
const CHANNEL = { $ref: '#/channels/stream' };

export function asyncApiDocument(version: string): Json {
  const schemas = new Map<string, Json>();
  const all: Record<string, StreamMessage> = {
    ...named('send', streamClientMessages),
    ...named('receive', streamServerMessages),
  };
  const messages = Object.entries(all).map(([name, message]) => [
    name,
    messageOf(name, message, schemas),
  ]);
  return {
    asyncapi: ASYNCAPI_VERSION,
    info: {
      title: 'Rialto stream',
      version,
      license: { name: 'Apache-2.0' },
      description:
        `Every message is one JSON text. Clients that send nothing for ` +
        `${STREAM_IDLE_MS / 1_000} s are disconnected: send a ping every 30 s. ` +
        `${streamTexts.rateLimited}; pings are not counted. ` +
        `A client message has at most ${STREAM_MESSAGE_BYTES_MAX} bytes.`,
    },
    defaultContentType: 'application/json',
    servers: {
      exchange: {
        host: 'localhost',
        protocol: 'wss',
        security: [
          { $ref: '#/components/securitySchemes/key' },
          { $ref: '#/components/securitySchemes/session' },
        ],
      },
    },
    channels: {
      stream: {
        address: STREAM_PATH,
        messages: referencesTo(all),
        bindings: { ws: { method: 'GET', query: querySchema() } },
      },
    },
    operations: {
      ...operationsOf('receive', named('send', streamClientMessages)),
      ...operationsOf('send', named('receive', streamServerMessages)),
    },
    components: {
      messages: Object.fromEntries(messages),
      securitySchemes: securitySchemes(),
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

/** `sendPing`, `receiveTrade`: named from the client's perspective. */
function named(
  verb: 'send' | 'receive',
  messages: Readonly<Record<string, StreamMessage>>,
): Record<string, StreamMessage> {
  return Object.fromEntries(
    Object.entries(messages).map(([name, message]) => [
      verb + name[0].toUpperCase() + name.slice(1),
      message,
    ]),
  );
}

function messageOf(name: string, message: StreamMessage, schemas: Map<string, Json>): Json {
  const { example, schema, summary } = message;
  return {
    name,
    summary,
    payload: hoisted(schema, schemas),
    ...(example !== undefined && { examples: [{ payload: example }] }),
  };
}

function referencesTo(messages: Readonly<Record<string, StreamMessage>>): Json {
  return Object.fromEntries(
    Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
  );
}

/** In AsyncAPI the action is the exchange's: it receives what a client sends. */
function operationsOf(
  action: 'send' | 'receive',
  messages: Readonly<Record<string, StreamMessage>>,
): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(messages).map(([name, { summary }]) => [
      name,
      {
        action,
        channel: CHANNEL,
        summary,
        messages: [{ $ref: `#/channels/stream/messages/${name}` }],
      },
    ]),
  );
}

function querySchema(): Json {
  const text = (description: string) => ({ type: 'string', description });
  return {
    type: 'object',
    description: 'A key, or a session. Without either only public topics are available.',
    properties: {
      'api-key': text('The key.'),
      'api-signature': text('HMAC-SHA256, in hex, of `CONNECT/stream` and api-expires.'),
      'api-expires': text('Unix seconds; at most 300 ahead.'),
      authorization: text('`Bearer` and the token of a session.'),
    },
  };
}

function securitySchemes(): Json {
  return {
    key: {
      type: 'httpApiKey',
      in: 'query',
      name: 'api-key',
      description: 'With api-signature and api-expires.',
    },
    session: { type: 'http', scheme: 'bearer', description: 'The token of a session.' },
  };
}
