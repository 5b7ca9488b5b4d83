// A sealed value opens with the same key for the same row, and with nothing else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyId, UserId } from '../../core/money/index.ts';
import { type KeyBinding, keyBound } from '../../features/auth/index.ts';
import { fingerprintOf, openWith, SealFault, sealWith, Vault } from './vault.ts';

const SECRET = 'a secret';

const binding: KeyBinding = {
  id: 7 as KeyId,
  user: 5 as UserId,
  kind: 'hmac',
  role: 'user',
  canRead: true,
  canTrade: false,
  canWithdraw: false,
};
const bound = keyBound(binding);
const ring = (...keys: [id: number, byte: number][]) =>
  new Map(keys.map(([id, byte]) => [id, Buffer.alloc(32, byte)]));
const vault = new Vault(ring([1, 1]));

test('a sealed secret opens, and two seals of one secret differ', () => {
  const [one, other] = [vault.seal(bound, SECRET), vault.seal(bound, SECRET)];
  assert.equal(vault.open(bound, one).toString(), SECRET);
  assert.equal(new Vault(ring([1, 1])).open(bound, other).toString(), SECRET);
  assert.notDeepEqual(one.sealed, other.sealed);
  assert.ok(!Buffer.from(one.sealed).toString('latin1').includes(SECRET.slice(0, 8)));
});

const others: Record<string, KeyBinding> = {
  'another key': { ...binding, id: 8 as KeyId },
  'another user': { ...binding, user: 6 as UserId },
  'another kind': { ...binding, kind: 'ed25519' },
  'the right to trade': { ...binding, canTrade: true },
  'the right to withdraw': { ...binding, canWithdraw: true },
  'no right to read': { ...binding, canRead: false },
  'the role of its user': { ...binding, role: 'admin' },
};

for (const [what, other] of Object.entries(others)) {
  test(`a row whose ${what} was changed in the database does not open`, () => {
    const sealed = vault.seal(bound, SECRET);
    assert.throws(() => vault.open(keyBound(other), sealed), SealFault);
  });
}

test('another key opens nothing, and neither does a changed or missing byte', () => {
  const value = vault.seal(bound, SECRET);
  const { kekId, sealed } = value;
  assert.throws(() => new Vault(ring([1, 2])).open(bound, value), SealFault);
  for (let at = 0; at < sealed.length; at++) {
    const bytes = Uint8Array.from(sealed);
    bytes[at] ^= 1;
    assert.throws(() => vault.open(bound, { kekId, sealed: bytes }), SealFault);
    const short = { kekId, sealed: sealed.subarray(0, at) };
    assert.throws(() => vault.open(bound, short), SealFault);
  }
});

test('after a rotation old values open, and a rewrapped value needs only the new key', () => {
  const old = vault.seal(bound, SECRET);
  const both = new Vault(ring([1, 1], [2, 2]), { activeId: 2 });
  const moved = both.rewrap(bound, old);
  assert.deepEqual([old.kekId, moved.kekId, both.seal(bound, SECRET).kekId], [1, 2, 2]);
  assert.equal(both.open(bound, old).toString(), SECRET);
  const later = new Vault(ring([2, 2]), { activeId: 2 });
  assert.equal(later.open(bound, moved).toString(), SECRET);
  assert.throws(() => later.open(bound, old), SealFault);
  assert.throws(() => both.rewrap(`${bound}!`, old), SealFault);
  assert.deepEqual(both.macs('codes', 'x'), [later.mac('codes', 'x'), vault.mac('codes', 'x')]);
});

// openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt hexkey:01…01
//   -kdfopt info:'rialto quotes' HKDF
test('derived keys are those of HKDF with SHA-256, one for each label', () => {
  const [quotes] = vault.deriveKeys('quotes').map((key) => Buffer.from(key).toString('hex'));
  assert.equal(quotes, '49913f997ccd3595df70d91645a08a679fbefca9114fcb0d3dc426ebc974d6de');
  assert.notDeepEqual(vault.deriveKeys('quotes'), vault.deriveKeys('quote'));
  assert.throws(() => new Vault(new Map([[1, Buffer.alloc(31)]])), RangeError);
  assert.throws(() => new Vault(ring([1, 1]), { activeId: 2 }), SealFault);
});

test('a number never gets another key, and a label from data is refused', () => {
  const own = new Vault(ring([1, 1]));
  own.add(ring([1, 1], [2, 2]));
  assert.throws(() => own.add(ring([3, 3], [2, 9])), SealFault);
  assert.equal(own.fingerprint(3), undefined);
  assert.equal(own.fingerprint(2), fingerprintOf(Buffer.alloc(32, 2)));
  assert.throws(() => own.activate(3), SealFault);
  own.activate(2);
  assert.equal(own.seal(bound, SECRET).kekId, 2);
  const label = (at: number) => own.mac(`label ${at}`, 'x');
  assert.throws(() => Array.from({ length: 200 }, (_, at) => label(at)), RangeError);
});

test('a value whose key is stored separately opens only with that key and its text', () => {
  const { kekId, key, sealed } = vault.createDataKey('person 5');
  const value = sealWith(key, 'data 5', SECRET);
  const opened = vault.openDataKey('person 5', { kekId, sealed });
  assert.equal(openWith(opened, 'data 5', value).toString(), SECRET);
  assert.throws(() => openWith(opened, 'data 6', value), SealFault);
  assert.throws(() => vault.openDataKey('person 6', { kekId, sealed }), SealFault);
  const both = new Vault(ring([1, 1], [2, 2]), { activeId: 2 });
  const moved = both.rewrap('person 5', { kekId, sealed });
  assert.deepEqual(new Vault(ring([2, 2]), { activeId: 2 }).openDataKey('person 5', moved), opened);
});
