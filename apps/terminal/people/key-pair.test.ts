// OpenSSL can read a WebCrypto key pair, and its halves match.

import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { makeKeyPair } from './key-pair.ts';

test('OpenSSL signs with the private key, and the public key verifies the signature', async () => {
  const { privateKey, publicKey } = await makeKeyPair();
  const raw = Buffer.from(publicKey, 'base64');
  assert.equal(raw.length, 32);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') };
  const signature = sign(null, Buffer.from('text'), createPrivateKey(privateKey));
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  assert.ok(verify(null, Buffer.from('text'), key, signature));
});
