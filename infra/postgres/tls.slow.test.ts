// TLS to a real PostgreSQL: the certificate and the name of the host are verified.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startPostgresForTest } from '../../testing/projections/postgres-for-test.ts';
import { openConnection } from './connections.ts';

test('a connection with certificates is encrypted, and refuses other servers', async (t) => {
  const postgres = await startPostgresForTest({ after: (end) => t.after(end) });
  const { dataFolder, port } = postgres.server;
  const certificate = (name: string, host: string) => {
    const [key, cert] = [join(dataFolder, `${name}.key`), join(dataFolder, `${name}.crt`)];
    const names = ['-subj', '/CN=rialto', '-addext', `subjectAltName=DNS:${host}`];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    const files = ['-nodes', '-days', '2', '-keyout', key, '-out', cert];
    execFileSync('openssl', ['req', '-x509', ...curve, ...files, ...names], { stdio: 'ignore' });
    const { gid, uid } = statSync(dataFolder);
    for (const file of [key, cert]) chownSync(file, uid, gid);
    chmodSync(key, 0o600);
    return { key, cert, ca: readFileSync(cert, 'utf8') };
  };
  const own = certificate('server', 'localhost');
  const other = certificate('other', 'localhost');
  const session = await postgres.session('public');
  const use = async ({ cert, key }: { readonly cert: string; readonly key: string }) => {
    for (const [name, value] of [
      ['ssl_cert_file', cert],
      ['ssl_key_file', key],
      ['ssl', 'on'],
    ]) {
      await session.query(`alter system set ${name} = '${value}'`);
    }
    await session.query('select pg_reload_conf()');
  };
  await use(own);
  const open = (host: string, ca: string) =>
    openConnection({
      ...postgres.connection('public'),
      url: `postgres://postgres@${host}:${port}/postgres`,
      tls: { ca, cert: undefined, key: undefined },
    });
  const encrypted = await open('localhost', own.ca);
  const { rows } = await encrypted.query(
    'select ssl, version from pg_stat_ssl where pid = pg_backend_pid()',
  );
  assert.equal(rows[0].ssl, true);
  await encrypted.end();
  await assert.rejects(open('localhost', other.ca), /self-signed certificate/);
  await assert.rejects(open('127.0.0.1', own.ca), /altnames|Hostname\/IP/);
});
