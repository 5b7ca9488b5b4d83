// A sealed file opens only with its key, under its name and complete; every damage is reported.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { bytesOf, collect, KEY, OTHER_KEY } from './backup-for-test.ts';
import { inPieces, seal, sealedBytes, unseal } from './sealed-file.ts';

const MEBIBYTE = 1024 * 1024;
const NAME = 'segments/one';

const sealed = (content: Uint8Array) => collect(seal(bytesOf(content), KEY, NAME));
const opened = (bytes: Uint8Array, key = KEY, name = NAME) =>
  collect(unseal(bytesOf(bytes), key, name));

for (const length of [0, 1, MEBIBYTE - 1, MEBIBYTE, MEBIBYTE + 1, 3 * MEBIBYTE]) {
  test(`${length} bytes are restored unchanged`, async () => {
    const content = randomBytes(length);
    const bytes = await sealed(content);
    assert.equal(bytes.length, sealedBytes(length));
    assert.ok((await opened(bytes)).equals(content));
  });
}

test("the input's chunking does not change the file", async () => {
  const content = randomBytes(2 * MEBIBYTE + 5);
  const bytes = await sealed(content);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 9_973) pieces.push(bytes.subarray(at, at + 9_973));
  assert.ok((await collect(unseal(bytesOf(...pieces), KEY, NAME))).equals(content));
});

test('equal contents are sealed differently, and no content is visible', async () => {
  const content = Buffer.alloc(1_000, 'secret');
  const [one, other] = [await sealed(content), await sealed(content)];
  assert.ok(!one.subarray(64).equals(other.subarray(64)));
  assert.ok(!one.includes('secret'));
});

test('a flipped byte is detected at every position', async () => {
  const content = randomBytes(2 * MEBIBYTE + 100);
  const bytes = await sealed(content);
  for (const at of [0, 20, 40, 64, MEBIBYTE, 2 * MEBIBYTE, bytes.length - 1]) {
    const damaged = Buffer.from(bytes);
    damaged[at] ^= 1;
    const expected =
      at < 16 ? /not a file of a backup/ : at < 32 ? /another key/ : /chunk \d is damaged/;
    await assert.rejects(opened(damaged), expected, `byte ${at}`);
  }
});

test('a truncated file is detected, even at the end of a chunk', async () => {
  const bytes = await sealed(randomBytes(3 * MEBIBYTE));
  const chunk = MEBIBYTE + 16;
  await assert.rejects(opened(bytes.subarray(0, 64 + 2 * chunk)), /one: cut after chunk 2\./);
  await assert.rejects(opened(bytes.subarray(0, 64 + chunk + 9)), /chunk 2 is damaged or cut/);
  await assert.rejects(opened(bytes.subarray(0, 64)), /chunk 1 is damaged or cut/);
  await assert.rejects(opened(bytes.subarray(0, 30)), /cut within its first bytes/);
  await assert.rejects(opened(Buffer.concat([bytes, bytes.subarray(64)])), /damaged/);
});

test('swapped chunks, another key and another name do not open', async () => {
  const bytes = await sealed(randomBytes(3 * MEBIBYTE));
  const chunk = MEBIBYTE + 16;
  const swapped = Buffer.concat([
    bytes.subarray(0, 64),
    bytes.subarray(64 + chunk, 64 + 2 * chunk),
    bytes.subarray(64, 64 + chunk),
    bytes.subarray(64 + 2 * chunk),
  ]);
  await assert.rejects(opened(swapped), /chunk 1 is damaged/);
  await assert.rejects(opened(bytes, OTHER_KEY), /segments\/one: sealed with another key\./);
  await assert.rejects(opened(bytes, KEY, 'segments/two'), /chunk 1 is damaged/);
});

test('chunks have their fixed length, and only the last can be shorter', async () => {
  const found = [];
  for await (const piece of inPieces(bytesOf('abc', 'defgh', 'i'), 4)) found.push(piece);
  assert.deepEqual(
    found.map(({ bytes, isLast }) => [bytes.toString(), isLast]),
    [
      ['abcd', false],
      ['efgh', false],
      ['i', true],
    ],
  );
});
