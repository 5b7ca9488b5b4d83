// Passkeys: options for the browser's credential API, its responses, and stored passkeys.

import type { Static } from 'typebox';
import {
  FreeObject,
  field,
  Timestamp,
  TimestampOrNull,
  Type,
  textIn,
} from '../../../protocol/wire/index.ts';

/** 1023 bytes, the maximum credential ID, in base64url. */
const CREDENTIAL_ID_CHARACTERS_MAX = 1_364;

const CredentialDescriptor = Type.Object({
  id: Type.String(),
  type: Type.String(),
  transports: field(Type.Optional(Type.Array(Type.String())), 'Transports of the authenticator.', [
    'internal',
  ]),
});

export const PasskeyRegistrationOptions = Type.Object(
  {
    challenge: Type.String({ description: 'Valid once, for five minutes.' }),
    rp: field(
      Type.Object({ name: Type.String(), id: Type.Optional(Type.String()) }),
      'The exchange as shown by the authenticator.',
    ),
    user: Type.Object({
      id: Type.String({ description: 'Send it back as `webauthn_user_id`.' }),
      name: Type.String(),
      displayName: field(
        Type.String(),
        'Your name as shown by the authenticator.',
        'ada@example.com',
      ),
    }),
    pubKeyCredParams: field(
      Type.Array(
        Type.Object({
          alg: field(Type.Integer(), 'The COSE algorithm ID.', -7),
          type: Type.String(),
        }),
      ),
      'The key types that the exchange accepts.',
    ),
    timeout: Type.Optional(Type.Integer({ description: 'Milliseconds.' })),
    attestation: field(
      Type.Optional(Type.String()),
      'Whether the authenticator must attest its model.',
      'none',
    ),
    excludeCredentials: field(
      Type.Optional(Type.Array(CredentialDescriptor)),
      'Your existing passkeys.',
    ),
    authenticatorSelection: field(Type.Optional(FreeObject), 'Requirements for the authenticator.'),
    extensions: field(Type.Optional(FreeObject), 'WebAuthn extensions.'),
    hints: field(
      Type.Optional(Type.Array(Type.String())),
      'The authenticator types to offer first.',
      [],
    ),
  },
  {
    title: 'PasskeyRegistrationOptions',
    description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON`.',
  },
);

export const PasskeyOptions = Type.Object(
  {
    challenge: Type.String({ description: 'Valid once, for five minutes.' }),
    rpId: field(Type.String(), 'The domain that owns the passkey.', 'exchange.example'),
    timeout: Type.Integer({ description: 'Milliseconds.' }),
    allowCredentials: Type.Array(CredentialDescriptor, {
      description: 'Always empty: the authenticator finds its passkeys.',
    }),
    userVerification: field(
      Type.String(),
      'Whether the authenticator must verify the user.',
      'required',
    ),
  },
  {
    title: 'PasskeyOptions',
    description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON`.',
  },
);
export type PasskeyOptions = Static<typeof PasskeyOptions>;

const CredentialIdIn = Type.String({ minLength: 1, maxLength: CREDENTIAL_ID_CHARACTERS_MAX });

export const PasskeyCredentialIn = Type.Object(
  {
    id: CredentialIdIn,
    rawId: field(CredentialIdIn, 'The credential ID in base64url.', 'b1946ac9'),
    type: field(Type.Literal('public-key'), 'Always `public-key`.'),
    response: field(FreeObject, "The authenticator's response."),
  },
  { title: 'PasskeyCredentialIn', description: 'The result of `PublicKeyCredential.toJSON()`.' },
);

export const PasskeyNameIn = textIn({ maxLength: 64 });

export const Passkey = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    backed_up: Type.Boolean({ description: 'Whether the passkey is synced.' }),
    created_at: Timestamp,
    last_used_at: TimestampOrNull,
  },
  { title: 'Passkey' },
);
export type Passkey = Static<typeof Passkey>;
