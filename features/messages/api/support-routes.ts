// The support form.

import {
  defineRoute,
  field,
  LONG_BODY_BYTES_MAX,
  NO_QUERY,
  Type,
  textIn,
  WEIGHT_HEAVY,
} from '../../../protocol/wire/index.ts';

/** One line without control characters, because it becomes an email subject. */
const ONE_LINE = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ud800-\\udfff]+$';
const lineIn = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: ONE_LINE });

export const supportRoutes = {
  // In the identity module, like all calls by which unauthenticated users write something.
  sendSupportMessage: defineRoute({
    method: 'POST',
    path: '/v2/support',
    bodyBytesMax: LONG_BODY_BYTES_MAX,
    summary: 'Send a message to the operator, as JSON or as a form',
    description: 'Replies arrive by email. The number of messages is limited per address.',
    tag: 'exchange',
    permission: { who: 'anyone' },
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module: 'identity',
    isForm: true,
    query: NO_QUERY,
    body: Type.Object(
      {
        email: textIn({ minLength: 3, maxLength: 254 }),
        category: field(lineIn(64), 'The topic of the message.', 'trading'),
        subject: lineIn(200),
        description: textIn({ minLength: 1, maxLength: 5_000 }),
      },
      { title: 'SupportMessageIn' },
    ),
    status: 200,
    response: Type.Object(
      {
        message: Type.String(),
        reference: Type.String({
          description: 'Reference for further questions about the message.',
        }),
      },
      { title: 'SupportMessageSent' },
    ),
  }),
} as const;
