// The services file lists the started servers and detects exited ones.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { knownProcess } from './running-processes.ts';
import {
  beginServices,
  noServices,
  readServices,
  removeServices,
  type ServicesFile,
  servicesPath,
  stateOf,
  writeServices,
} from './services-file.ts';

function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-services-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const here = { name: 'here', ...knownProcess(process.pid), stopSignal: 'SIGTERM' as const };
const stale = { ...here, name: 'stale', began: 'tick 1 of another boot' };
const started: ServicesFile = {
  starter: null,
  servers: [here],
  nats: ['nats://127.0.0.1:4001'],
  natsMonitors: ['http://127.0.0.1:4002'],
  postgres: null,
  chain: null,
};

test('the file is written, read and removed', (context) => {
  const folder = temporaryFolder(context);
  assert.equal(readServices(folder), undefined);
  writeServices(folder, started);
  assert.deepEqual(readServices(folder), started);
  assert.deepEqual(readdirSync(folder), ['services.json']);
  removeServices(folder);
  removeServices(folder);
  assert.equal(readServices(folder), undefined);
});

test('only the first of two starts succeeds', (context) => {
  const folder = join(temporaryFolder(context), 'made', 'for it');
  assert.equal(beginServices(folder), true);
  assert.equal(beginServices(folder), false);
  assert.deepEqual(readServices(folder), noServices());
});

test('an unreadable file is an error that names it', (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(servicesPath(folder), 'half a fi');
  assert.throws(() => readServices(folder), /services\.json is not valid JSON; remove it/);
});

test('the state depends on which of the started processes still run', () => {
  const states: [Partial<ServicesFile>, string][] = [
    [{}, 'running'],
    [{ servers: [here, stale] }, 'partly running'],
    [{ servers: [stale] }, 'not running'],
    [{ servers: [] }, 'not running'],
    [{ starter: here }, 'starting'],
    [{ starter: stale }, 'partly running'],
    [{ starter: stale, servers: [stale] }, 'not running'],
  ];
  for (const [change, expected] of states) {
    assert.equal(stateOf({ ...started, ...change }), expected, JSON.stringify(change));
  }
});
