// Files of `rialto init` with the real servers: NATS accepts each configuration, and PostgreSQL
// with these settings, roles and rules admits the services over TLS only.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openConnection } from '../../infra/postgres/index.ts';
import { freePorts } from '../services/free-ports.ts';
import { installNats } from '../services/install-nats.ts';
import { installPostgres } from '../services/install-postgres.ts';
import { postgresStopSignal } from '../services/postgres.ts';
import { ServerProcess } from '../services/server-process.ts';
import { allowTraversal, postgresUser } from '../services/server-user.ts';
import { initMachines, parseMachines } from './init-machines.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-init-'));
const ends: (() => Promise<void>)[] = [];
after(async () => {
  for (const end of ends) await end();
  rmSync(folder, { recursive: true });
});
/** A server that was configured for another use. */
const OTHER_LOCALE = ['--encoding=LATIN1', '--locale=C', '--lc-collate=C'];
const publicUrl = 'https://exchange.example.com';

test('nats-server accepts every configuration', async () => {
  const program = await installNats();
  const machines = parseMachines('m1=127.0.0.1,m2=127.0.0.2,m3=127.0.0.3');
  initMachines({ folder: join(folder, 'three'), publicUrl, ...(machines && { machines }) });
  initMachines({ folder: join(folder, 'nats'), publicUrl });
  const files = globSync(['three/*/nats/*.conf', 'nats/nats/*.conf'], { cwd: folder });
  assert.equal(files.length, 6);
  for (const file of files) {
    execFileSync(program, ['-t', '-c', join(folder, file)], { stdio: 'pipe' });
  }
});

test('PostgreSQL with these files admits service roles over TLS only', async () => {
  const programs = await installPostgres();
  const etc = join(folder, 'one');
  initMachines({ folder: etc, publicUrl });
  const user = postgresUser();
  const [port] = await freePorts(1);
  const dataFolder = join(folder, 'data');
  mkdirSync(dataFolder, { mode: 0o700 });
  if (user !== undefined) {
    // Like a real installation: the server runs as a separate user.
    for (const path of [dataFolder, ...globSync(`${etc}/{postgres,tls}/*`)]) {
      chownSync(path, user.uid, user.gid);
    }
    for (const path of [`${etc}/tls`, `${etc}/postgres`, etc, dataFolder]) {
      chmodSync(path, path === dataFolder ? 0o700 : 0o711);
    }
    allowTraversal(folder, user);
  }
  const run = (program: string, args: readonly string[]) =>
    execFileSync(join(programs, program), args, { ...user, cwd: '/', stdio: 'pipe' });
  run('initdb', ['--pgdata', dataFolder, ...OTHER_LOCALE, '--username', 'postgres', '--no-sync']);
  const server = new ServerProcess({
    name: 'postgres',
    program: join(programs, 'postgres'),
    args: [
      '-D',
      dataFolder,
      '-c',
      `config_file=${etc}/postgres/rialto.conf`,
      '-c',
      `port=${port}`,
      '-c',
      `unix_socket_directories=${dataFolder}`,
    ],
    folder: dataFolder,
    logFile: join(folder, 'postgres.log'),
    untilParentDies: true,
    user,
  });
  server.launch();
  ends.push(() => server.stop(postgresStopSignal));
  const isReady = async () => {
    try {
      run('pg_isready', ['-h', dataFolder, '-p', String(port)]);
      return true;
    } catch {
      return false;
    }
  };
  await server.waitUntil('accepts sessions', isReady);
  const socket = ['-h', dataFolder, '-p', String(port), '-U', 'postgres'];
  run('psql', [...socket, '-v', 'ON_ERROR_STOP=1', '-f', `${etc}/postgres/create.sql`]);

  const urlIn = (name: string) => {
    const url = new URL(readFileSync(join(etc, 'postgres', `${name}.url`), 'utf8').trim());
    url.port = String(port);
    return url.href;
  };
  const migrate = join(import.meta.dirname, '../migrate/main.ts');
  execFileSync(process.execPath, [migrate], {
    env: {
      PATH: process.env.PATH,
      RIALTO_POSTGRES_URL: urlIn('owner'),
      RIALTO_POSTGRES_CA_FILE: join(etc, 'tls/ca.crt'),
      RIALTO_ACCESS_KEY_FILE: join(etc, 'access-key'),
    },
    stdio: 'pipe',
  });
  const ca = readFileSync(join(etc, 'tls/ca.crt'), 'utf8');
  const open = (name: string, isTls: boolean) =>
    openConnection({
      url: urlIn(name),
      ...(isTls && { tls: { ca, cert: undefined, key: undefined } }),
      schema: 'registry',
      name: 'test',
      statementTimeoutMs: 10_000,
    });
  const owner = await open('owner', true);
  const [recorded] = (await owner.query('select state from key_encryption_keys')).rows;
  assert.deepEqual(recorded, { state: 'active' }, 'rialto migrate recorded the access key');
  const { rows: databases } = await owner.query(
    `select pg_encoding_to_char(encoding) as encoding, datcollate, datctype
     from pg_database where datname = current_database()`,
  );
  assert.deepEqual(databases, [{ encoding: 'UTF8', datcollate: 'C', datctype: 'C' }]);
  await owner.end();
  const connection = await open('monitor', true);
  const { rows } = await connection.query(
    `select current_user as role, (select ssl from pg_stat_ssl where pid = pg_backend_pid()),
       has_table_privilege('registry.users', 'update') as may_write`,
  );
  assert.deepEqual(rows, [{ role: 'rialto_monitor', ssl: true, may_write: false }]);
  await connection.end();
  await assert.rejects(open('monitor', false), /no pg_hba.conf entry .* no encryption/);
  const projector = await open('projector', true);
  const shown = await projector.query('show synchronous_commit');
  assert.equal(shown.rows[0].synchronous_commit, 'local');
  await projector.end();
});
