// A key pair made by WebCrypto is readable by OpenSSL, and its halves belong together.

import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { makeKeyPair } from './key-pair.ts';

test('OpenSSL signs with the private half, and the public half verifies', async () => {
  const { privateKey, publicKey } = await makeKeyPair();
  const raw = Buffer.from(publicKey, 'base64');
  assert.equal(raw.length, 32);
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') };
  const signature = sign(null, Buffer.from('text'), createPrivateKey(privateKey));
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  assert.ok(verify(null, Buffer.from('text'), key, signature));
});
