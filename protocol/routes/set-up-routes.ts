// Set-up of an exchange: its first administrator.

import { Type } from 'typebox';
import { Message } from '../resources/error-body.ts';
import { defineRoute, NO_QUERY } from '../route.ts';
import { WEIGHT_HEAVY } from '../weights.ts';
import { textIn } from '../wire-types.ts';

const tag = 'operator';

export const setUpRoutes = {
  signUpAdministrator: defineRoute({
    method: 'POST',
    path: '/v2/admin/signup',
    summary: 'Create the first administrator, with the token that a server printed at its start',
    tag,
    permission: { who: 'anyone' },
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module: 'identity',
    query: NO_QUERY,
    body: Type.Object(
      {
        email: textIn({ minLength: 3, maxLength: 254 }),
        password: Type.String({
          maxLength: 256,
          description: '15 to 128 characters, and not a common password.',
        }),
        token: Type.String({ minLength: 1, maxLength: 128, description: 'Counts once.' }),
      },
      { title: 'FirstAdministratorIn', additionalProperties: false },
    ),
    status: 201,
    response: Message,
  }),
} as const;
