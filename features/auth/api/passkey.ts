// Passkeys: the options that a browser's credential API takes, its answers, and stored passkeys.

import { type Static, Type } from 'typebox';
import { FreeObject, Timestamp, TimestampOrNull, textIn } from '../../../protocol/wire/index.ts';

/** 1023 bytes, the longest credential id, in base64url. */
const CREDENTIAL_ID_CHARACTERS_MAX = 1_364;

const CredentialDescriptor = Type.Object({
  id: Type.String(),
  type: Type.String(),
  transports: Type.Optional(Type.Array(Type.String())),
});

export const PasskeyRegistrationOptions = Type.Object(
  {
    challenge: Type.String({ description: 'Valid for five minutes, once.' }),
    rp: Type.Object({ name: Type.String(), id: Type.Optional(Type.String()) }),
    user: Type.Object({
      id: Type.String({ description: 'Send it back as `webauthn_user_id`.' }),
      name: Type.String(),
      displayName: Type.String(),
    }),
    pubKeyCredParams: Type.Array(Type.Object({ alg: Type.Integer(), type: Type.String() })),
    timeout: Type.Optional(Type.Integer({ description: 'Milliseconds.' })),
    attestation: Type.Optional(Type.String()),
    excludeCredentials: Type.Optional(Type.Array(CredentialDescriptor)),
    authenticatorSelection: Type.Optional(FreeObject),
    extensions: Type.Optional(FreeObject),
    hints: Type.Optional(Type.Array(Type.String())),
  },
  {
    title: 'PasskeyRegistrationOptions',
    description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON`.',
  },
);

export const PasskeyOptions = Type.Object(
  {
    challenge: Type.String({ description: 'Valid for five minutes, once.' }),
    rpId: Type.String(),
    timeout: Type.Integer({ description: 'Milliseconds.' }),
    allowCredentials: Type.Array(CredentialDescriptor, {
      description: 'Always empty: the authenticator knows its passkeys.',
    }),
    userVerification: Type.String(),
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
    rawId: CredentialIdIn,
    type: Type.Literal('public-key'),
    response: FreeObject,
  },
  { title: 'PasskeyCredentialIn', description: 'The result of `PublicKeyCredential.toJSON()`.' },
);

export const PasskeyNameIn = textIn({ maxLength: 64 });

export const Passkey = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    backed_up: Type.Boolean({ description: 'Whether the passkey is synchronised.' }),
    created_at: Timestamp,
    last_used_at: TimestampOrNull,
  },
  { title: 'Passkey' },
);
export type Passkey = Static<typeof Passkey>;
