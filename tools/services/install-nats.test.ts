// Choice of the NATS server, and the error if there is none.

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { cacheFolder, installNats, isNewEnough, parseNatsVersion } from './install-nats.ts';

/** Creates a program that only prints a version. */
function pretender(context: TestContext, version: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-install-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'nats-server');
  writeFileSync(path, `#!/bin/sh\necho "nats-server: v${version}"\n`);
  chmodSync(path, 0o755);
  return path;
}

test("the version is read from the server's output", () => {
  assert.equal(parseNatsVersion('nats-server: v2.15.1\n'), '2.15.1');
  assert.equal(parseNatsVersion('nats-server: v2.16.0-RC.2'), '2.16.0');
  assert.equal(parseNatsVersion('sh: nats-server: not found'), undefined);
  assert.equal(parseNatsVersion(''), undefined);
});

test('versions starting at 2.15 are recent enough', () => {
  const versions = ['1.99.9', '2.9.10', '2.14.99', '2.15.0', '2.15.1', '2.100.0', '3.0.0'];
  assert.deepEqual(versions.filter(isNewEnough), ['2.15.0', '2.15.1', '2.100.0', '3.0.0']);
});

test('the cache is outside the checkout unless RIALTO_CACHE is set', () => {
  assert.equal(cacheFolder({}), join(homedir(), '.cache', 'rialto'));
  assert.equal(cacheFolder({ RIALTO_CACHE: '' }), join(homedir(), '.cache', 'rialto'));
  assert.equal(cacheFolder({ RIALTO_CACHE: '/elsewhere' }), '/elsewhere');
});

test('RIALTO_NATS_SERVER is used if it is recent', async (context) => {
  const path = pretender(context, '2.15.3');
  assert.equal(await installNats({ RIALTO_NATS_SERVER: path }), path);
});

test('an old RIALTO_NATS_SERVER is an error with its fix', async (context) => {
  const path = pretender(context, '2.9.10');
  await assert.rejects(installNats({ RIALTO_NATS_SERVER: path }), (fault: Error) => {
    assert.match(fault.message, /needs a NATS server of version 2\.15\.0 or newer/);
    assert.ok(fault.message.includes(`${path}: is version 2.9.10, which is too old`));
    assert.match(fault.message, /RIALTO_NATS_SERVER=/);
    return true;
  });
});

test('a missing RIALTO_NATS_SERVER is an error without a fallback', async () => {
  await assert.rejects(
    installNats({ RIALTO_NATS_SERVER: '/nowhere/nats-server' }),
    /\/nowhere\/nats-server: not found/,
  );
});
