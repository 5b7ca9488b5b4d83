// Routes for development mode. They accept secrets and must never be served elsewhere.

import {
  defineRoute,
  field,
  NO_QUERY,
  OPERATOR_BODY_BYTES_MAX,
  oneOf,
  sample,
  Type,
  WEIGHT_LIGHT,
} from '../../../protocol/wire/index.ts';

export const developmentRoutes = {
  signForDevelopment: defineRoute({
    method: 'POST',
    path: '/v2/dev/sign',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    isRialtoOnly: true,
    summary: 'Compute the signature of a request, to compare with your own',
    description: 'Never send a production secret. Available only on a development exchange.',
    tag: 'development',
    permission: { who: 'anyone' },
    effect: 'read',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    body: Type.Object(
      {
        secret: sample(
          Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 256,
              description: 'If left out, only the text to sign is returned.',
            }),
          ),
          'secret',
        ),
        method: oneOf(['GET', 'POST', 'PUT', 'DELETE', 'CONNECT']),
        path: Type.String({
          minLength: 1,
          maxLength: 4_096,
          description: 'Includes the version and the query, as sent.',
        }),
        expires: sample(
          Type.Integer({ minimum: 0, description: 'Unix seconds, like the `api-expires` header.' }),
          1767607200,
        ),
        body: sample(
          Type.Optional(
            Type.String({ maxLength: 65_536, description: 'The body exactly as sent.' }),
          ),
          '{}',
        ),
      },
      { title: 'SignIn' },
    ),
    status: 200,
    response: Type.Object(
      {
        text: Type.String({ description: 'The signed text.' }),
        signature: field(
          Type.Optional(Type.String()),
          'The signature in hex.',
          '31337dc94cf0244b024e480c7cbb0925',
        ),
      },
      { title: 'Signed' },
    ),
    onlyInDevelopment: true,
    example: {
      body: { secret: 'secret', method: 'GET', path: '/v2/user/balance', expires: 1767607200 },
    },
  }),
} as const;
