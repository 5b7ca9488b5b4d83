// A frame is byte for byte what ws sends, for any length.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { jsonFrame, textFrame } from './frame.ts';

type Framing = {
  frame(data: Buffer, options: { fin: boolean; opcode: number; mask: boolean }): Buffer[];
};
const require = createRequire(import.meta.url);
const { Sender } = require('ws') as { Sender: Framing };

test('frames of every length equal those of ws', () => {
  for (const length of [0, 1, 125, 126, 127, 65_535, 65_536, 200_000]) {
    const text = 'x'.repeat(length);
    const options = { fin: true, opcode: 1, mask: false };
    const expected = Buffer.concat(Sender.frame(Buffer.from(text), options));
    assert.ok(textFrame(text).bytes.equals(expected), `${length} bytes`);
  }
});

test('lengths are counted in bytes, not in characters', () => {
  const { bytes } = jsonFrame({ message: 'Grüße 🙂' });
  assert.equal(bytes[1], Buffer.byteLength('{"message":"Grüße 🙂"}'));
  assert.equal(bytes.subarray(2).toString(), '{"message":"Grüße 🙂"}');
});
