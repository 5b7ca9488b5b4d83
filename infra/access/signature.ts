// The text that a request's signature covers: METHOD + target + expires + body, without separators.
// Clients serialize the body in several ways; the form that was signed is what the request means.
// Its running time depends on the length of the input, never on how much of it is right.

import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';

export interface SignedText {
  readonly method: string;
  /** Path and query, byte for byte as received. */
  readonly target: string;
  readonly expires: string;
  /** As received; undefined if the route reads none. */
  readonly body?: string | undefined;
  /** An empty body then also counts as `{}`. */
  readonly bodyIsExpected: boolean;
}

/** Whether the text has the received signature. */
export type Verifier = (text: string) => boolean;

const HMAC_HEX = /^[0-9a-f]{64}$/i;
const ED25519_HEX = /^[0-9a-f]{128}$/i;
const ED25519_BASE64 = /^[A-Za-z0-9+/]{86}==$/;

/** The bytes of the signature, or undefined if the text is malformed. */
export function readHmacSignature(text: string): Buffer | undefined {
  return HMAC_HEX.test(text) ? Buffer.from(text, 'hex') : undefined;
}

export function readEd25519Signature(text: string): Buffer | undefined {
  if (ED25519_HEX.test(text)) return Buffer.from(text, 'hex');
  return ED25519_BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
}

export function hmacVerifier(secret: KeyObject, signature: Uint8Array): Verifier {
  return (text) => {
    const wanted = createHmac('sha256', secret).update(text).digest();
    return timingSafeEqual(wanted, signature);
  };
}

export function ed25519Verifier(verifyingKey: KeyObject, signature: Uint8Array): Verifier {
  return (text) => verify(null, Buffer.from(text), verifyingKey, signature);
}

/** From the 32 bytes of the key in base64; undefined if malformed. */
export function readVerifyingKey(base64: string): KeyObject | undefined {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== 32 || bytes.toString('base64') !== base64) return undefined;
  const key = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
  return createPublicKey({ key, format: 'jwk' });
}

/**
 * The body that the signature covers ('' for none), or undefined if it covers none of the forms.
 * NOTE: the caller reads this text and not the received one. Two texts may be equal to one JSON
 * parser and not to another: `1.0` and `1`, a duplicate field.
 */
export function findSignedBody(request: SignedText, verifies: Verifier): string | undefined {
  const { body = '', bodyIsExpected, expires, method, target } = request;
  const start = method + target + expires;
  if (!bodyIsExpected) {
    if (verifies(start)) return '';
    // A client that signs the `?` of an empty query, and whose library does not send it.
    if (target.includes('?')) return undefined;
    return verifies(`${method}${target}?${expires}`) ? '' : undefined;
  }
  if (verifies(start + body)) return body;
  if (body === '') return verifies(`${start}{}`) ? '{}' : undefined;
  const compact = withoutBlanks(body);
  if (compact !== body && verifies(start + compact)) return compact;
  const again = writtenAgain(body);
  if (again === undefined || again === compact || again === body) return undefined;
  return verifies(start + again) ? again : undefined;
}

/** Without whitespace outside of strings. Linear in the length. */
export function withoutBlanks(json: string): string {
  if (!/[ \t\r\n]/.test(json)) return json;
  let result = '';
  let keptFrom = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') {
      isInString = true;
    } else if (
      character === ' ' ||
      character === '\n' ||
      character === '\r' ||
      character === '\t'
    ) {
      result += json.slice(keptFrom, at);
      keptFrom = at + 1;
    }
  }
  return result + json.slice(keptFrom);
}

function writtenAgain(json: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return undefined;
  }
}
