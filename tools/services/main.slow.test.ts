// The command as developers use it: start, status and stop in a temporary folder.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { greetPostgres } from './postgres-greeting.ts';
import { type ProgramOptions, runProgram } from './run-program.ts';
import { isRunning } from './running-processes.ts';
import { readServices } from './services-file.ts';

const main = join(import.meta.dirname, 'main.ts');

function services(args: string[], options: ProgramOptions = {}) {
  return runProgram(process.execPath, [main, ...args], options);
}

function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-services-'));
  context.after(async () => {
    await services(['stop', '--folder', folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

function lastLine(output: string) {
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as { nats: string[]; postgres: string };
}

const where = { user: 'postgres', database: 'postgres' };

test('services start once, outlive the command, stop, and keep their data', async (context) => {
  const folder = temporaryFolder(context);
  const first = await services(['start', '--folder', folder]);
  assert.ok(first.succeeded, first.output);
  const urls = lastLine(first.output);
  assert.equal(urls.nats.length, 1);
  const connection = await connect({ servers: urls.nats });
  await (await jetstreamManager(connection)).streams.add({ name: 'kept', subjects: ['kept'] });
  await connection.close();
  const port = Number(new URL(urls.postgres).port);
  assert.equal(await greetPostgres({ port, ...where }), 'ready');

  const second = await services(['start', '--folder', folder]);
  assert.ok(second.succeeded);
  assert.match(second.output, /already running/);
  assert.deepEqual(lastLine(second.output), urls);
  const status = await services(['status', '--folder', folder]);
  assert.ok(status.succeeded);
  assert.match(
    status.output,
    /nats-server alone +running, process \d+\n {2}postgres +running, process/,
  );

  const servers = readServices(folder)?.servers ?? [];
  assert.deepEqual(servers.map(isRunning), [true, true]);
  const stopped = await services(['stop', '--folder', folder]);
  assert.ok(stopped.succeeded, stopped.output);
  assert.deepEqual(servers.map(isRunning), [false, false]);
  assert.equal(readServices(folder), undefined);

  const again = await services(['start', '--folder', folder, '--no-postgres']);
  assert.equal(lastLine(again.output).postgres, null);
  const later = await connect({ servers: lastLine(again.output).nats });
  assert.equal((await (await jetstreamManager(later)).streams.info('kept')).config.name, 'kept');
  await later.close();
});

test('status reports a dead server, and stop ends a paused one', async (context) => {
  const folder = temporaryFolder(context);
  await services(['start', '--folder', folder, '--nats', '3', '--no-postgres']);
  const servers = readServices(folder)?.servers ?? [];
  assert.equal(servers.length, 3);
  process.kill(servers[0].pid, 'SIGKILL');
  process.kill(servers[1].pid, 'SIGSTOP');
  const status = await services(['status', '--folder', folder]);
  assert.equal(status.succeeded, false);
  assert.match(status.output, /partly running/);
  const start = await services(['start', '--folder', folder]);
  assert.equal(start.succeeded, false);
  assert.match(start.output, /Only some of the services/);
  assert.ok((await services(['stop', '--folder', folder])).succeeded);
  assert.deepEqual(servers.map(isRunning), [false, false, false]);
});

test('a local chain starts and stops with the services', async (context) => {
  const folder = temporaryFolder(context);
  const started = await services(['start', '--folder', folder, '--no-postgres', '--chain']);
  assert.ok(started.succeeded, started.output);
  const { chain } = JSON.parse(started.output.trim().split('\n').at(-1) ?? '') as { chain: string };
  const response = await fetch(chain, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
  });
  assert.equal(((await response.json()) as { result: string }).result, '0x7a69');
  const servers = readServices(folder)?.servers ?? [];
  assert.deepEqual(servers.map(isRunning), [true, true]);
  assert.ok((await services(['stop', '--folder', folder])).succeeded);
  assert.deepEqual(servers.map(isRunning), [false, false]);
});

test('a failed start prints the reason and leaves nothing running', async (context) => {
  const folder = temporaryFolder(context);
  const failed = await services(['start', '--folder', folder], {
    environment: { RIALTO_POSTGRES_BIN: '/nowhere' },
  });
  assert.equal(failed.succeeded, false);
  assert.match(failed.output, /nats-server alone: stopped/);
  assert.match(failed.output, /did not start: Rialto needs PostgreSQL 15 or newer/);
  assert.equal(readServices(folder), undefined);
});

test('two concurrent installations fill the cache with one complete server', async (context) => {
  const cache = mkdtempSync(join(tmpdir(), 'rialto-cache-'));
  context.after(() => rmSync(cache, { recursive: true }));
  const environment = { RIALTO_CACHE: cache, RIALTO_NATS_SERVER: '' };
  const both = await Promise.all([
    services(['install'], { environment }),
    services(['install'], { environment }),
  ]);
  for (const { succeeded, output } of both) {
    assert.ok(succeeded, output);
    assert.match(output, /^NATS server: .*nats-server\nPostgreSQL: \//);
    // The machine might have a recent server, in which case nothing is downloaded.
    const isFetched = !output.startsWith('NATS server: nats-server\n');
    assert.deepEqual(readdirSync(cache), isFetched ? ['nats-server'] : []);
  }
});

test('wrong usage prints the usage line', async () => {
  for (const args of [[], ['begin'], ['start', '--nats', '2'], ['stop', '--hard']]) {
    const { succeeded, output } = await services(args);
    assert.equal(succeeded, false);
    assert.match(output, /Usage: npm run services/);
  }
});
