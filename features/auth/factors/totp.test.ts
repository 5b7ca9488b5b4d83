// Tests with the vectors of RFC 6238, appendix B, for SHA-1: their last six digits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totpCode, totpUri } from './totp.ts';

/** `12345678901234567890` in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

const vectors: [atS: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

for (const [atS, code] of vectors) {
  test(`the code at second ${atS} is ${code}`, () => {
    assert.equal(totpCode(SECRET, atS * 1000), code);
  });
}

test('the URI for the app names the exchange and the account', () => {
  assert.equal(
    totpUri({ secret: SECRET, account: 'ann+1@mail.test', exchange: 'A & B' }),
    `otpauth://totp/A%20%26%20B:ann%2B1%40mail.test?secret=${SECRET}&issuer=A%20%26%20B`,
  );
});
