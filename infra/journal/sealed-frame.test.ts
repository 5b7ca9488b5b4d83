// Sealed frames: a sealed frame opens unchanged, and anything else does not open.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { equalBytes, HASH_BYTES, hashFrame, openSealedFrame, sealFrame } from './sealed-frame.ts';

function seal(frame: Uint8Array): Uint8Array {
  return sealFrame(frame, hashFrame(frame));
}

test('the hash is SHA-256', () => {
  const hash = Buffer.from(hashFrame(new TextEncoder().encode('abc'))).toString('hex');
  assert.equal(hash, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('a sealed frame opens unchanged, with the hash that chains the next frame', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (frame) => {
      const opened = openSealedFrame(seal(frame));
      assert.deepEqual(opened?.frame, frame);
      assert.deepEqual(new Uint8Array(opened.frameHash), new Uint8Array(hashFrame(frame)));
    }),
  );
});

test('a message inside a larger buffer opens', () => {
  const message = seal(Uint8Array.of(1, 2, 3));
  const buffer = new Uint8Array(100).fill(0xdd);
  buffer.set(message, 10);
  const opened = openSealedFrame(buffer.subarray(10, 10 + message.length));
  assert.deepEqual(opened?.frame, Uint8Array.of(1, 2, 3));
});

test('a message with any flipped bit does not open', () => {
  const sealed = seal(new TextEncoder().encode('a frame'));
  for (let at = 0; at < sealed.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const damaged = new Uint8Array(sealed);
      damaged[at] ^= 1 << bit;
      assert.equal(openSealedFrame(damaged), undefined, `byte ${at}, bit ${bit}`);
    }
  }
});

test('a truncated message or one with extra bytes does not open', () => {
  const sealed = seal(new TextEncoder().encode('a frame'));
  for (let length = 0; length < sealed.length; length++) {
    assert.equal(openSealedFrame(sealed.subarray(0, length)), undefined, `${length} bytes`);
    assert.equal(openSealedFrame(sealed.subarray(length + 1)), undefined, `after ${length} bytes`);
  }
  assert.equal(openSealedFrame(Uint8Array.of(...sealed, 0)), undefined);
  assert.equal(openSealedFrame(new Uint8Array(HASH_BYTES)), undefined, 'only zeros');
});

test('bytes are equal if their length and every byte are equal', () => {
  const cases: [number[], number[], boolean][] = [
    [[], [], true],
    [[1, 2], [1, 2], true],
    [[1, 2], [1, 3], false],
    [[1, 2], [1, 2, 3], false],
    [[1, 2], [1], false],
  ];
  for (const [one, other, isEqual] of cases) {
    assert.equal(equalBytes(Uint8Array.from(one), Uint8Array.from(other)), isEqual);
  }
});
