// Passkeys of this browser: made for the account, or asked to sign. The exchange gives the options
// and checks the result.

import type {
  ActivatePasskeyIn,
  PasskeyActivated,
  PasskeyAnswerIn,
  PasskeyCredentialIn,
  RialtoClient,
} from '../../client/index.ts';
import { deviceName } from './device-name.ts';

/** Whether this browser can make and use passkeys here: a secure page and a new enough browser. */
export function hasPasskeys(): boolean {
  return (
    typeof PublicKeyCredential !== 'undefined' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'
  );
}

/** Adds a passkey to the account of the session; without a name it is named after the device. */
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

/** For five minutes the session counts as proven, wherever a one-time code is asked for. */
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
