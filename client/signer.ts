// Signs requests with WebCrypto, in browsers and Node: HMAC-SHA256 with a shared secret, or Ed25519
// with a private key that never leaves the client. Never prints a secret or exposes it as a field.

/** As `importKey` returns it: browsers and Node declare it under different names. */
type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export type Credentials =
  | { readonly key: string; readonly secret: string }
  | {
      readonly key: string;
      /** PKCS #8 as PEM, or a WebCrypto key, which may be non-extractable. */
      readonly ed25519PrivateKey: string | CryptoKey;
    };

export interface Signed {
  readonly 'api-key': string;
  readonly 'api-expires': string;
  readonly 'api-signature': string;
}

/** How long a request stays valid; the exchange accepts at most 300 s by default. */
const EXPIRES_AFTER_S = 60;

export class Signer {
  readonly #key: string;
  readonly #sign: (text: string) => Promise<ArrayBuffer>;
  readonly #nowMs: () => number;

  constructor(credentials: Credentials, nowMs: () => number) {
    this.#key = credentials.key;
    this.#sign = signing(credentials);
    this.#nowMs = nowMs;
  }

  /** The signed text is `text` (method and path), the expiry, then `body`. */
  async sign(text: string, body = ''): Promise<Signed> {
    const expires = String(Math.floor(this.#nowMs() / 1_000) + EXPIRES_AFTER_S);
    const signature = await this.#sign(`${text}${expires}${body}`);
    return { 'api-key': this.#key, 'api-expires': expires, 'api-signature': hex(signature) };
  }
}

function signing(credentials: Credentials): (text: string) => Promise<ArrayBuffer> {
  const encoder = new TextEncoder();
  const isHmac = 'secret' in credentials;
  const algorithm = isHmac ? 'HMAC' : 'Ed25519';
  const imported = isHmac
    ? importSecret(encoder.encode(credentials.secret))
    : importPrivateKey(credentials.ed25519PrivateKey);
  // The first call to sign() reports the error; until then it must not be an unhandled rejection.
  imported.catch(() => {});
  return async (text) => crypto.subtle.sign(algorithm, await imported, encoder.encode(text));
}

async function importSecret(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
}

async function importPrivateKey(key: string | CryptoKey): Promise<CryptoKey> {
  if (typeof key !== 'string') return key;
  const base64 = key.replaceAll(/-----(?:BEGIN|END) PRIVATE KEY-----|\s/g, '');
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', false, ['sign']);
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
