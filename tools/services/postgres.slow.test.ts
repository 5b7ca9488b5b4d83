// A real PostgreSQL server: it starts as a permitted user and recovers from a kill -9.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { greetPostgres, startupMessage } from './postgres-greeting.ts';

const names = { user: 'postgres', database: 'postgres' };

async function startForTest(context: TestContext): Promise<PostgresServer> {
  // Most tests use a folder inside a temporary one, which only its owner can enter.
  const temporary = mkdtempSync(join(tmpdir(), 'rialto-postgres-'));
  const server = await startPostgres({ folder: join(temporary, 'postgres') });
  context.after(async () => {
    await server.stop();
    rmSync(temporary, { recursive: true });
  });
  return server;
}

/** A session that stays open until the test or the server ends it. */
async function openSession(context: TestContext, port: number): Promise<void> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  context.after(() => socket.destroy());
  socket.write(startupMessage(names));
  await once(socket, 'data');
  socket.on('error', () => {});
}

/** Opens a session, sends the queries one after another, and returns all output. */
async function ask(port: number, ...queries: string[]): Promise<string> {
  const socket = createConnection({ port, host: '127.0.0.1' });
  socket.write(startupMessage(names));
  for (const query of queries) {
    const head = Buffer.alloc(5);
    head.write('Q');
    head.writeInt32BE(4 + Buffer.byteLength(query) + 1, 1);
    socket.write(Buffer.concat([head, Buffer.from(`${query}\0`)]));
  }
  socket.end(Buffer.from([0x58, 0, 0, 0, 4]));
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
}

test('PostgreSQL opens sessions, with durable settings and UTF-8', async (context) => {
  const server = await startForTest(context);
  assert.equal(server.url, `postgres://postgres@127.0.0.1:${server.port}/postgres`);
  assert.equal(await greetPostgres({ port: server.port, ...names }), 'ready');
  const said = await ask(
    server.port,
    "select 'fsync=' || current_setting('fsync')",
    "select 'commit=' || current_setting('synchronous_commit')",
    "select 'encoding=' || current_setting('server_encoding')",
    "select 'collation=' || datcollate from pg_database where datname = 'postgres'",
  );
  for (const expected of ['fsync=on', 'commit=on', 'encoding=UTF8', 'collation=C']) {
    assert.ok(said.includes(expected), expected);
  }
});

test('committed data survives a kill -9 with an open session', async (context) => {
  const server = await startForTest(context);
  const said = await ask(
    server.port,
    'create table kept (note text)',
    "insert into kept values ('still here')",
  );
  assert.ok(said.includes('INSERT 0 1'));
  await openSession(context, server.port);

  const { pid, port } = server;
  await server.kill('SIGKILL');
  assert.equal(server.pid, undefined);
  await server.start();
  assert.notEqual(server.pid, pid);
  assert.equal(server.port, port);
  assert.ok((await ask(port, 'select note from kept')).includes('still here'));
});

test('a stop ends open sessions, and the data survives a restart', async (context) => {
  const server = await startForTest(context);
  await ask(server.port, 'create table empty ()');
  await openSession(context, server.port);
  await server.stop();
  assert.equal(await greetPostgres({ port: server.port, ...names }), 'not-listening');
  assert.match(readFileSync(server.logFile, 'utf8'), /received fast shutdown request/);
  await server.start();
  assert.ok((await ask(server.port, 'select count(*) from empty')).includes('SELECT 1'));
});

test('a server that cannot start fails with the end of its log', async (context) => {
  const server = await startForTest(context);
  await server.stop();
  rmSync(join(server.dataFolder, 'global'), { recursive: true });
  await assert.rejects(
    server.start(),
    /postgres ended with code 2\n.*postgres\.log ends with:\n.*global/s,
  );
});
