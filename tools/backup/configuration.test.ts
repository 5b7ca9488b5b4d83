// A backup's configuration never contains the access key, under any name.

import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { folderForTest } from './backup-for-test.ts';
import { readConfiguration } from './configuration.ts';

const SECRET = Buffer.alloc(32, 7).toString('base64');

function machine(t: TestContext): { folder: string; keyFile: string } {
  const folder = folderForTest(t);
  const keyFile = join(folder, 'access-key');
  writeFileSync(keyFile, `${SECRET}\n`);
  writeFileSync(join(folder, 'rialto.env'), 'RIALTO_MODE=production\n');
  mkdirSync(join(folder, 'identities'));
  writeFileSync(join(folder, 'identities/nats-users.conf'), 'users\n');
  return { folder, keyFile };
}

const namesIn = (folder: string, keyFile: string) =>
  readConfiguration(folder, [keyFile]).map(({ name }) => name);

test('all files except the access key and its copies are included', (t) => {
  const { folder, keyFile } = machine(t);
  writeFileSync(join(folder, 'old-key.txt'), SECRET);
  assert.deepEqual(namesIn(folder, keyFile), ['identities/nats-users.conf', 'rialto.env']);
});

test('a settings file that contains the key is rejected by name', (t) => {
  const { folder, keyFile } = machine(t);
  writeFileSync(join(folder, 'gateway.env'), `RIALTO_X=1\nRIALTO_OTHER=${SECRET}\n`);
  assert.throws(() => namesIn(folder, keyFile), /gateway\.env contains a key/);
  writeFileSync(join(folder, 'gateway.env'), 'RIALTO_ACCESS_KEY=short\n');
  assert.throws(() => namesIn(folder, keyFile), /gateway\.env contains a key/);
});
