// Production requires public keys for the link, and a certificate beyond its own machine.

import assert from 'node:assert/strict';
import test from 'node:test';
import { linkSecurity } from './link-security.ts';

const NONE = {
  mode: 'production',
  identitiesFile: undefined,
  linkCertificateFile: undefined,
  linkKeyFile: undefined,
  linkListenHost: '127.0.0.1',
  linkHost: undefined,
} as const;

test('development accepts unproven names on its own machine', () => {
  const security = linkSecurity({ ...NONE, mode: 'development' });
  assert.deepEqual(security, { tls: undefined, publicKeysOf: undefined });
});

const REFUSED: readonly [change: object, problem: RegExp][] = [
  [{}, /RIALTO_IDENTITIES_FILE is not set \(expected in production\)/],
  [{ identitiesFile: '/missing/file' }, /names \/missing\/file, which cannot be read/],
  [
    { identitiesFile: '/dev/null', linkListenHost: '0.0.0.0' },
    /RIALTO_LINK_CERTIFICATE_FILE is not set, but other machines reach the link \(0\.0\.0\.0\)/,
  ],
  [
    { identitiesFile: '/dev/null', linkHost: 'm1.example.com' },
    /other machines reach the link \(m1\.example\.com\)/,
  ],
  [
    { identitiesFile: '/dev/null', linkCertificateFile: '/dev/null' },
    /RIALTO_LINK_KEY_FILE is not set \(expected a certificate and its key, or neither\)/,
  ],
  [
    { identitiesFile: '/dev/null', linkCertificateFile: '/missing', linkKeyFile: '/dev/null' },
    /RIALTO_LINK_CERTIFICATE_FILE names \/missing, which cannot be read \(ENOENT\)/,
  ],
];

for (const [change, problem] of REFUSED) {
  test(`production refuses ${JSON.stringify(change)}`, () => {
    assert.throws(() => linkSecurity({ ...NONE, ...change }), problem);
  });
}

test('production on one machine needs the public keys only', () => {
  const { publicKeysOf, tls } = linkSecurity({ ...NONE, identitiesFile: '/dev/null' });
  assert.deepEqual([publicKeysOf?.('gateway-http'), tls], [[], undefined]);
});
