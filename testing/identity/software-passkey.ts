// A software authenticator that creates one passkey and signs on request, including responses that
// no honest browser would send.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** Parts of a response that a test can forge. */
export interface PasskeyForgery {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: 'webauthn.create' | 'webauthn.get';
  /** Whether the authenticator verified its user; true by default. */
  readonly isUserVerified?: boolean;
  /** Signature counter. Increases by one by default. */
  readonly counter?: number;
  readonly userHandle?: string;
}

export interface PasskeyCredential {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly clientExtensionResults: Readonly<Record<string, unknown>>;
  readonly response: Readonly<Record<string, unknown>>;
}

interface CreationOptions {
  readonly challenge: string;
  readonly user: { readonly id: string };
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;
const AAGUID_BYTES = 16;

export class SoftwarePasskey {
  readonly #origin: string;
  readonly #rpId: string;
  readonly #id = randomBytes(16);
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  #userHandle = '';
  #counter = 0;

  constructor({ origin, rpId }: { readonly origin: string; readonly rpId: string }) {
    this.#origin = origin;
    this.#rpId = rpId;
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  register({ challenge, user }: CreationOptions, forgery: PasskeyForgery = {}): PasskeyCredential {
    this.#userHandle = user.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const credential = Buffer.concat([
      Buffer.alloc(AAGUID_BYTES),
      length,
      this.#id,
      this.#coseKey(),
    ]);
    const authData = Buffer.concat([this.#head(HAS_CREDENTIAL, 0, forgery), credential]);
    const attestation = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]) as never,
    );
    const clientData = this.#clientData('webauthn.create', challenge, forgery);
    return this.#credential({
      clientDataJSON: base64url(clientData),
      attestationObject: base64url(attestation),
      transports: ['internal'],
    });
  }

  sign({ challenge }: { readonly challenge: string }, forgery: PasskeyForgery = {}) {
    this.#counter = forgery.counter ?? this.#counter + 1;
    const authData = this.#head(0, this.#counter, forgery);
    const clientData = this.#clientData('webauthn.get', challenge, forgery);
    const digest = createHash('sha256').update(clientData).digest();
    return this.#credential({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(authData),
      signature: base64url(sign('sha256', Buffer.concat([authData, digest]), this.#privateKey)),
      userHandle: forgery.userHandle ?? this.#userHandle,
    });
  }

  #head(more: number, counter: number, { isUserVerified = true, rpId }: PasskeyForgery): Buffer {
    const tail = Buffer.alloc(5);
    tail[0] = PRESENT | (isUserVerified ? VERIFIED : 0) | more;
    tail.writeUInt32BE(counter, 1);
    const rpIdHash = createHash('sha256')
      .update(rpId ?? this.#rpId)
      .digest();
    return Buffer.concat([rpIdHash, tail]);
  }

  #clientData(type: string, challenge: string, forgery: PasskeyForgery): Buffer {
    const data = {
      type: forgery.type ?? type,
      challenge: forgery.challenge ?? challenge,
      origin: forgery.origin ?? this.#origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(data));
  }

  #credential(response: PasskeyCredential['response']): PasskeyCredential {
    const id = base64url(this.#id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  // ES256 on P-256, with the numbers from the COSE registry.
  #coseKey(): Uint8Array {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]);
    return isoCBOR.encode(key as never);
  }
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
