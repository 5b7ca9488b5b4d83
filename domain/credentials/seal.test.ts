// A sealed secret opens with the same access key for the same row, and with nothing else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyId, UserId } from '../../core/money/index.ts';
import { SECRET } from './access-for-test.ts';
import type { KeyBinding } from './keys.ts';
import { Seal, SealFault } from './seal.ts';

const binding: KeyBinding = {
  id: 7 as KeyId,
  user: 5 as UserId,
  kind: 'hmac',
  role: 'user',
  canRead: true,
  canTrade: false,
  canWithdraw: false,
};
const seal = new Seal(Buffer.alloc(32, 1));

test('a sealed secret opens, and two seals of one secret differ', () => {
  const [one, other] = [seal.seal(binding, SECRET), seal.seal(binding, SECRET)];
  assert.equal(seal.open(binding, one), SECRET);
  assert.equal(new Seal(Buffer.alloc(32, 1)).open(binding, other), SECRET);
  assert.notDeepEqual(one.sealedSecret, other.sealedSecret);
  assert.notDeepEqual(one.sealedDataKey, other.sealedDataKey);
  assert.ok(!Buffer.from(one.sealedSecret).toString('latin1').includes(SECRET.slice(0, 8)));
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
    const sealed = seal.seal(binding, SECRET);
    assert.throws(() => seal.open(other, sealed), SealFault);
  });
}

test('another access key opens nothing, and neither does a changed byte', () => {
  const sealed = seal.seal(binding, SECRET);
  assert.throws(() => new Seal(Buffer.alloc(32, 2)).open(binding, sealed), SealFault);
  for (const part of ['sealedSecret', 'sealedDataKey'] as const) {
    for (let at = 0; at < sealed[part].length; at++) {
      const bytes = Uint8Array.from(sealed[part]);
      bytes[at] ^= 1;
      assert.throws(() => seal.open(binding, { ...sealed, [part]: bytes }), SealFault);
    }
    const short = { ...sealed, [part]: sealed[part].subarray(0, 20) };
    assert.throws(() => seal.open(binding, short), SealFault);
  }
});

// openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt hexkey:01…01
//   -kdfopt info:'rialto quotes' HKDF
test('derived keys are those of HKDF with SHA-256, one for each label', () => {
  const quotes = Buffer.from(seal.deriveKey('quotes')).toString('hex');
  assert.equal(quotes, '49913f997ccd3595df70d91645a08a679fbefca9114fcb0d3dc426ebc974d6de');
  assert.notDeepEqual(seal.deriveKey('quotes'), seal.deriveKey('quote'));
  assert.throws(() => new Seal(Buffer.alloc(31)), RangeError);
});
