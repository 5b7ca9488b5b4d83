// An API key as its owner sees it. The secret is shown once, in the response to its creation.

import type { Static } from 'typebox';
import {
  field,
  oneOf,
  StringOrNull,
  sample,
  Timestamp,
  TimestampOrNull,
  Type,
} from '../../../protocol/wire/index.ts';

export const KEY_TYPES = ['hmac', 'ed25519'] as const;
export const KEY_ROLES = ['user', 'admin'] as const;

const common = {
  id: Type.Integer(),
  name: Type.String(),
  type: oneOf(KEY_TYPES),
  role: oneOf(KEY_ROLES, '`admin` keys can use the role of their owner.'),
  active: Type.Boolean({ description: 'False for a suspended key.' }),
  revoked: field(Type.Boolean(), 'Whether the key is permanently revoked.', false),
  expiry: Timestamp,
  can_read: Type.Boolean(),
  can_trade: Type.Boolean(),
  can_withdraw: Type.Boolean(),
  whitelisted_ips: Type.Array(Type.String()),
  whitelisting_enabled: Type.Boolean(),
  book_only: Type.Boolean({
    description: 'Whether the key can withdraw only to addresses in the address book.',
  }),
  public_key: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The 32-byte Ed25519 public key in base64.',
  }),
};

export const ApiKey = Type.Object(
  {
    ...common,
    apiKey: sample(
      Type.String({ description: 'The value of the `api-key` header.' }),
      '00112233445566778899aabbccddeeff00112233',
    ),
    secret: Type.String({ description: 'Masked with asterisks: secrets are shown only once.' }),
    suspended_reason: sample(
      Type.Unsafe<string | null>({
        ...StringOrNull,
        description: 'Reason for the suspension: `password_reset`. Set `active` to enable the key.',
      }),
      null,
    ),
    withdraw_granted_at: field(
      TimestampOrNull,
      'When the key got permission to withdraw; null if it has none.',
      null,
    ),
    last_used_at: TimestampOrNull,
    created: field(Timestamp, 'When the key was created.'),
  },
  { title: 'ApiKey' },
);
export type ApiKey = Static<typeof ApiKey>;

export const ApiKeyCreated = Type.Object(
  {
    ...common,
    key: sample(
      Type.String({ description: 'The value of the `api-key` header.' }),
      '00112233445566778899aabbccddeeff00112233',
    ),
    secret: Type.String({
      description:
        'Shown once. For an Ed25519 key created by the exchange, the private key as PEM; empty ' +
        'if you sent the public key.',
    }),
    created_at: Timestamp,
  },
  { title: 'ApiKeyCreated' },
);
export type ApiKeyCreated = Static<typeof ApiKeyCreated>;
