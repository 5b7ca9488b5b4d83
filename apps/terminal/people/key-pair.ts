// Generates an Ed25519 key pair for an API key in this browser. Only the public key is sent.

export interface KeyPair {
  /** 32 bytes in base64, as the exchange expects them. */
  readonly publicKey: string;
  /** PKCS #8 as PEM, as OpenSSL and the clients read it. */
  readonly privateKey: string;
}

export async function makeKeyPair(): Promise<KeyPair> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, [
    'sign',
    'verify',
  ])) as CryptoKeyPair;
  const [raw, pkcs8] = await Promise.all([
    crypto.subtle.exportKey('raw', pair.publicKey),
    crypto.subtle.exportKey('pkcs8', pair.privateKey),
  ]);
  return { publicKey: base64(raw), privateKey: pem(base64(pkcs8)) };
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

function pem(text: string): string {
  const lines = text.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n');
}
