// How the address of PostgreSQL follows from the settings, and what production refuses.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ConfigFault } from '../process/index.ts';
import { readToolConfig } from '../settings/index.ts';
import { postgresAddress } from './postgres-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-pem-'));
after(() => rmSync(folder, { recursive: true }));
const pem = join(folder, 'ca.pem');
writeFileSync(pem, '-----BEGIN CERTIFICATE-----\n');
writeFileSync(join(folder, 'other.txt'), 'no certificate');

const REMOTE = 'postgres://rialto_gateway_http:secret@db.example.com:5432/rialto';

function addressOf(variables: Record<string, string>, mode: 'production' | 'development') {
  const config = readToolConfig({ RIALTO_POSTGRES_URL: REMOTE, ...variables }, [
    'postgresUrl',
    'postgresCaFile',
    'postgresCertFile',
    'postgresKeyFile',
  ]);
  return postgresAddress(config, mode);
}

test('production sends nothing unencrypted to another machine', () => {
  assert.throws(
    () => addressOf({}, 'production'),
    (fault) => {
      assert.ok(fault instanceof ConfigFault);
      assert.match(fault.message, /RIALTO_POSTGRES_CA_FILE is not set, but PostgreSQL runs on/);
      assert.match(fault.message, /another machine \(db\.example\.com\)/);
      assert.doesNotMatch(fault.message, /secret/);
      return true;
    },
  );
  assert.equal(addressOf({}, 'development').tls, undefined);
});

test('this machine and its sockets need no certificates', () => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '%2Fvar%2Frun%2Fpostgresql', '']) {
    const url = `postgres://rialto@${host}${host === '' ? '' : ':5432'}/rialto`;
    const own = URL.canParse(url) ? url : 'postgres:///rialto';
    assert.equal(addressOf({ RIALTO_POSTGRES_URL: own }, 'production').tls, undefined, host);
  }
});

test('certificates are read from files', () => {
  const { tls } = addressOf({ RIALTO_POSTGRES_CA_FILE: pem }, 'production');
  assert.match(tls?.ca ?? '', /BEGIN CERTIFICATE/);
  assert.equal(tls?.cert, undefined);
});

const wrong: readonly (readonly [string, Record<string, string>, RegExp])[] = [
  ['a missing file', { RIALTO_POSTGRES_CA_FILE: '/none.pem' }, /none\.pem, .* \(ENOENT\)/],
  [
    'another file',
    { RIALTO_POSTGRES_CA_FILE: join(folder, 'other.txt') },
    /which is not a PEM file/,
  ],
  [
    'a certificate without a key',
    { RIALTO_POSTGRES_CA_FILE: pem, RIALTO_POSTGRES_CERT_FILE: pem },
    /needs RIALTO_POSTGRES_KEY_FILE/,
  ],
  [
    'a second way to configure TLS',
    { RIALTO_POSTGRES_URL: `${REMOTE}?sslmode=no-verify` },
    /has settings of TLS \(expected RIALTO_POSTGRES_CA_FILE instead\)/,
  ],
];

for (const [what, variables, text] of wrong) {
  test(`${what} is rejected`, () => {
    assert.throws(() => addressOf(variables, 'development'), text);
  });
}
