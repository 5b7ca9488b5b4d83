// Folders that are searched for PostgreSQL's programs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { candidateFolders, installPostgres, parsePostgresVersion } from './install-postgres.ts';

test("Debian's newest installed version comes first, then the PATH", () => {
  assert.deepEqual(candidateFolders({ PATH: '/usr/local/bin::/usr/bin' }, ['9', '15', '17', 'x']), [
    '/usr/lib/postgresql/17/bin',
    '/usr/lib/postgresql/15/bin',
    '/usr/lib/postgresql/9/bin',
    '/usr/local/bin',
    '/usr/bin',
  ]);
});

test('RIALTO_POSTGRES_BIN is the only folder if it is set', () => {
  const environment = { RIALTO_POSTGRES_BIN: '/opt/postgres/bin', PATH: '/usr/bin' };
  assert.deepEqual(candidateFolders(environment, ['15']), ['/opt/postgres/bin']);
});

test('RIALTO_POSTGRES_BIN without the programs is an error without a fallback', async () => {
  await assert.rejects(installPostgres({ RIALTO_POSTGRES_BIN: '/nowhere' }), (fault: Error) => {
    assert.match(fault.message, /needs PostgreSQL 15 or newer/);
    assert.match(fault.message, /initdb and postgres in \/nowhere: not found/);
    return true;
  });
});

test("the version is read from the server's output", () => {
  assert.equal(parsePostgresVersion('postgres (PostgreSQL) 15.13 (Debian 15.13-0+deb12u1)'), 15);
  assert.equal(parsePostgresVersion('postgres (PostgreSQL) 18beta1'), 18);
  assert.equal(parsePostgresVersion('postgres: not found'), undefined);
});
