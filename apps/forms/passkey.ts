// Creates passkeys in this browser and signs with them. The exchange provides the options and
// verifies the result.

import type {
  ActivatePasskeyIn,
  PasskeyActivated,
  PasskeyAnswerIn,
  PasskeyCredentialIn,
  RialtoClient,
} from '../../client/index.ts';
import { deviceName } from './device-name.ts';

/** Returns whether passkeys work here: a secure page in a recent browser. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential !== 'undefined' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'
  );
}

/** Adds a passkey to the session's account; the default name is the device name. */
export async function addPasskey(
  exchange: RialtoClient,
  name: string,
  otpCode: string,
): Promise<PasskeyActivated> {
  const options = await exchange.getPasskeyRegistration();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  );
  const made = await navigator.credentials.create({ publicKey });
  const body: ActivatePasskeyIn = {
    challenge: options.challenge,
    webauthn_user_id: options.user.id,
    credential: toJson(made),
    name: name.trim() === '' ? deviceName(navigator.userAgent) : name.trim(),
    ...(otpCode === '' ? {} : { otp_code: otpCode }),
  };
  return exchange.activatePasskey(body);
}

export async function signInWithPasskey(
  exchange: RialtoClient,
  email: string,
  isLong: boolean,
): Promise<void> {
  const answer = await sign(await exchange.getPasskeyLogin({ email }));
  await exchange.logInWithPasskey({ ...answer, long_term: isLong });
}

/** Verifies the session for five minutes, wherever a one-time code is required. */
export async function provePasskey(exchange: RialtoClient): Promise<void> {
  await exchange.provePasskey(await sign(await exchange.getPasskeyProof()));
}

async function sign(options: { readonly challenge: string }): Promise<PasskeyAnswerIn> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = toJson(await navigator.credentials.get({ publicKey }));
  return { challenge: options.challenge, credential };
}

function toJson(credential: Credential | null): PasskeyCredentialIn {
  return (credential as PublicKeyCredential).toJSON() as unknown as PasskeyCredentialIn;
}
