// The drawn QR code has exactly the squares of the encoded one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'uqr';
import { qrPath } from './qr-path.ts';

test('the path covers exactly the dark squares', () => {
  const text = 'otpauth://totp/Rialto:dana%40example.com?secret=5BDY2GWH2Y47J3DS&issuer=Rialto';
  const { path, size } = qrPath(text);
  const dark = new Set<string>();
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let at = 0; at < Number(length); at += 1) dark.add(`${Number(x) + at} ${y}`);
  }
  const { data, size: side } = encode(text, { ecc: 'M', border: 2 });
  assert.equal(size, side);
  for (const [y, row] of data.entries()) {
    for (const [x, isDark] of row.entries()) assert.equal(dark.has(`${x} ${y}`), isDark);
  }
});
