// Options to sign with a passkey, as the wire has them: they name no credential.

import type { PasskeyOptions } from '../../../protocol/index.ts';
import type { AuthenticationOptions } from '../factors/passkeys.ts';

export function passkeyOptionsJson(options: AuthenticationOptions): PasskeyOptions {
  const { challenge, rpId = '', timeout = 0, userVerification = 'required' } = options;
  return { challenge, rpId, timeout, allowCredentials: [], userVerification };
}
