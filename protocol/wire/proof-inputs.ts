// Proofs that requests by the account holder include: a code from an authenticator app or from an
// email.

import { Type } from './type.ts';
import { oneOf } from './wire-types.ts';

/** A recovery code has 29 characters with its dashes; users add spaces. */
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

/** Format of a code that a session requests. */
export const CodeVersionIn = Type.Optional(
  oneOf(
    ['v2', 'v3', 'v4'],
    'The form of the code: `v2`, a link (default); `v3`, as in AA-12345; `v4`, six digits. ' +
      'Short codes count only in the session that requested them.',
  ),
);
