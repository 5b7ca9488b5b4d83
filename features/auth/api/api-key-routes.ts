// Routes for the account holder's API keys. Every change needs a second factor and an emailed code.
// Keys cannot change keys.

import {
  defineRoute,
  EmailCodeIn,
  FactorCodeIn,
  Message,
  MomentIn,
  NO_QUERY,
  oneOf,
  Type,
  textIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import { ApiKey, ApiKeyCreated, KEY_ROLES, KEY_TYPES } from './api-key.ts';

const person = { who: 'person' } as const;
const tag = 'api keys';
const module = 'identity';

const KeyIdIn = Type.Integer({ minimum: 1, maximum: 4_294_967_295 });
const NameIn = textIn({ maxLength: 200 });
// One more than allowed, so the rejection can state the limit.
const AddressesIn = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 51,
  description: 'IPv4 with /16, /24 or /32, or IPv6 with any prefix.',
});
const SubAccountIn = Type.Integer({
  minimum: 1,
  description: 'One of your sub-accounts, instead of you. Its keys can read and trade.',
});
const proofs = { otp_code: FactorCodeIn, email_code: EmailCodeIn };

export const apiKeyRoutes = {
  requestEmailConfirmation: defineRoute({
    method: 'GET',
    path: '/v2/user/request-email-confirmation',
    summary: 'Email a code that confirms one API key change or the account deletion',
    description: 'The code is valid for five minutes and for one change.',
    tag,
    permission: person,
    effect: 'write',
    worksReadOnly: true,
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    status: 200,
    response: Message,
  }),
  createApiKey: defineRoute({
    method: 'POST',
    path: '/v2/user/token',
    summary: 'Create a read-only API key; its secret is shown once',
    description:
      'Requires your second factor and an emailed code. To add permissions, change the key. An ' +
      'Ed25519 key has no secret here: send its public key.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object(
      {
        name: NameIn,
        ...proofs,
        role: Type.Optional(oneOf(KEY_ROLES)),
        whitelisted_ips: Type.Optional(AddressesIn),
        type: Type.Optional(oneOf(KEY_TYPES)),
        public_key: Type.Optional(
          Type.String({
            maxLength: 200,
            description: 'The 32-byte public key of an Ed25519 key pair, in base64.',
          }),
        ),
        expiry: Type.Optional(MomentIn),
        subaccount_id: Type.Optional(SubAccountIn),
      },
      { title: 'ApiKeyIn', additionalProperties: false },
    ),
    status: 200,
    response: ApiKeyCreated,
  }),
  getApiKeys: defineRoute({
    method: 'GET',
    path: '/v2/user/tokens',
    summary: 'Your API keys that are neither revoked nor expired, newest first',
    description: 'Secrets are never shown again.',
    tag,
    permission: person,
    effect: 'read',
    weight: WEIGHT_LIST,
    module,
    query: Type.Object({ subaccount_id: Type.Optional(SubAccountIn) }),
    status: 200,
    response: Type.Object(
      { count: Type.Integer(), data: Type.Array(ApiKey) },
      { title: 'ApiKeys' },
    ),
  }),
  changeApiKey: defineRoute({
    method: 'PUT',
    path: '/v2/user/token',
    summary: "Change a key's name, permissions or addresses, or enable a suspended key",
    description:
      'Requires your second factor and an emailed code. Withdrawal permission requires a list ' +
      'of IP addresses and takes effect after a delay.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    module,
    query: NO_QUERY,
    body: Type.Object(
      {
        token_id: KeyIdIn,
        ...proofs,
        name: Type.Optional(NameIn),
        permissions: Type.Optional(
          Type.Object(
            {
              can_read: Type.Optional(Type.Boolean()),
              can_trade: Type.Optional(Type.Boolean()),
              can_withdraw: Type.Optional(Type.Boolean()),
            },
            { additionalProperties: false },
          ),
        ),
        whitelisted_ips: Type.Optional(AddressesIn),
        whitelisting_enabled: Type.Optional(
          Type.Boolean({ description: 'On by default if the list is not empty.' }),
        ),
        book_only: Type.Optional(Type.Boolean()),
        active: Type.Optional(
          Type.Boolean({ description: 'true also enables a suspended key again.' }),
        ),
      },
      { title: 'ApiKeyChangeIn', additionalProperties: false },
    ),
    status: 200,
    response: ApiKey,
  }),
  revokeApiKey: defineRoute({
    method: 'DELETE',
    path: '/v2/user/token',
    summary: 'Revoke an API key permanently, on all gateways within a second',
    description:
      'Requires your second factor and an emailed code. Orders placed with the key stay open.',
    tag,
    permission: person,
    effect: 'write',
    worksReadOnly: true,
    weight: WEIGHT_ROW,
    module,
    query: NO_QUERY,
    body: Type.Object(
      { token_id: KeyIdIn, ...proofs },
      { title: 'ApiKeyNameIn', additionalProperties: false },
    ),
    status: 200,
    response: Message,
  }),
} as const;
