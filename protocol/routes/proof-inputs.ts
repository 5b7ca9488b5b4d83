// Proofs that calls of the account holder take: a code from an authenticator app, or from a mail.

import { Type } from 'typebox';

/** A recovery code has 29 characters with its dashes; people add blanks. */
export const FactorCodeIn = Type.String({
  maxLength: 64,
  description:
    'A one-time password of six digits, or a recovery code. Empty if your only factor is a ' +
    'passkey that you have just proven to the session.',
});

export const EmailCodeIn = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'From the mail of `GET /v2/user/request-email-confirmation`.',
});
