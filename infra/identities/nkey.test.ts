// Our nkeys are those of the NATS client: each reads, signs and verifies what the other made.

import assert from 'node:assert/strict';
import test from 'node:test';
import { nkeys } from '@nats-io/transport-node';
import { drawSeed, isSignedBy, nkeyOf } from './nkey.ts';

const TEXT = Buffer.from('a nonce');

test('a generated seed has the same public key and signature in the NATS client', () => {
  for (let turn = 0; turn < 5; turn++) {
    const seed = drawSeed();
    assert.match(seed, /^SU[A-Z2-7]{56}$/);
    const [ours, theirs] = [nkeyOf(seed), nkeys.fromSeed(Buffer.from(seed))];
    assert.equal(ours.publicKey, theirs.getPublicKey());
    assert.deepEqual(ours.sign(TEXT), Buffer.from(theirs.sign(TEXT)));
    assert.ok(nkeys.fromPublic(ours.publicKey).verify(TEXT, ours.sign(TEXT)));
  }
});

test('a seed from the NATS client is read', () => {
  const theirs = nkeys.createUser();
  const ours = nkeyOf(Buffer.from(theirs.getSeed()).toString());
  assert.equal(ours.publicKey, theirs.getPublicKey());
  assert.ok(isSignedBy(ours.publicKey, TEXT, theirs.sign(TEXT)));
});

test('a signature is valid only for its text and its key', () => {
  const [one, other] = [nkeyOf(drawSeed()), nkeyOf(drawSeed())];
  const signature = one.sign(TEXT);
  assert.equal(isSignedBy(one.publicKey, TEXT, signature), true);
  assert.equal(isSignedBy(one.publicKey, Buffer.from('another'), signature), false);
  assert.equal(isSignedBy(other.publicKey, TEXT, signature), false);
  signature[0] ^= 1;
  assert.equal(isSignedBy(one.publicKey, TEXT, signature), false);
});

test('a text that is not a user key is refused and not repeated in the fault', () => {
  const seed = drawSeed();
  const { publicKey } = nkeyOf(seed);
  const account = nkeys.createAccount();
  const changed = `${seed.slice(0, 20)}${seed[20] === 'A' ? 'B' : 'A'}${seed.slice(21)}`;
  const wrong = [changed, publicKey, seed.slice(0, -2), `${seed}AA`, seed.toLowerCase(), '', 'SU'];
  for (const text of [...wrong, Buffer.from(account.getSeed()).toString()]) {
    const isQuiet = ({ message }: Error) => text === '' || !message.includes(text);
    assert.throws(() => nkeyOf(text), isQuiet);
  }
  for (const text of [seed, account.getPublicKey(), publicKey.slice(0, -1), 'no key', '']) {
    assert.throws(() => isSignedBy(text, TEXT, Buffer.alloc(64)));
  }
});
