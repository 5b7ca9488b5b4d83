// What was started is remembered, and what has ended since is noticed.

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
};

test('what is written is read, in one file, until it is removed', (context) => {
  const folder = temporaryFolder(context);
  assert.equal(readServices(folder), undefined);
  writeServices(folder, started);
  assert.deepEqual(readServices(folder), started);
  assert.deepEqual(readdirSync(folder), ['services.json']);
  removeServices(folder);
  removeServices(folder);
  assert.equal(readServices(folder), undefined);
});

test('only the first of two beginnings succeeds', (context) => {
  const folder = join(temporaryFolder(context), 'made', 'for it');
  assert.equal(beginServices(folder), true);
  assert.equal(beginServices(folder), false);
  assert.deepEqual(readServices(folder), noServices());
});

test('a file that is not ours is named, not guessed at', (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(servicesPath(folder), 'half a fi');
  assert.throws(() => readServices(folder), /services\.json is not readable; remove it by hand/);
});

test('the state follows from which processes still are the ones that were started', () => {
  const states: [Partial<ServicesFile>, string][] = [
    [{}, 'running'],
    [{ servers: [here, stale] }, 'partly running'],
    [{ servers: [stale] }, 'gone'],
    [{ servers: [] }, 'gone'],
    [{ starter: here }, 'starting'],
    [{ starter: stale }, 'partly running'],
    [{ starter: stale, servers: [stale] }, 'gone'],
  ];
  for (const [change, expected] of states) {
    assert.equal(stateOf({ ...started, ...change }), expected, JSON.stringify(change));
  }
});
