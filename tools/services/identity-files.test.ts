// Identity files: kept across runs, changed by a rotation, readable by their owner only, and
// without the sandbox in production.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { IDENTITIES, readPublicKeys } from '../../infra/identities/index.ts';
import { type IdentityFilesOptions, readSeed, writeIdentityFiles } from './identity-files.ts';

function openFolder(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-identities-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return (change: Partial<IdentityFilesOptions> = {}) =>
    writeIdentityFiles({ folder, exchange: 'rialto', withSandbox: false, ...change });
}

test('every identity has its own seed, and a second run keeps it', (context) => {
  const write = openFolder(context);
  const files = write();
  const seeds = IDENTITIES.map((name) => readSeed(files.seedFile(name)));
  assert.equal(new Set(seeds).size, IDENTITIES.length);
  const users = readFileSync(files.usersFile, 'utf8');
  write();
  assert.deepEqual(
    IDENTITIES.map((name) => readSeed(files.seedFile(name))),
    seeds,
  );
  assert.equal(readFileSync(files.usersFile, 'utf8'), users);
  for (const file of [files.usersFile, ...IDENTITIES.map((name) => files.seedFile(name))]) {
    assert.equal(statSync(file).mode & 0o777, 0o600, file);
  }
});

test('only development has a sandbox identity', (context) => {
  const write = openFolder(context);
  const production = write();
  assert.doesNotMatch(readFileSync(production.usersFile, 'utf8'), /sandbox|password/);
  assert.equal(readPublicKeys(production.identitiesFile).has('sandbox'), false);
  const development = write({ withSandbox: true });
  assert.match(readFileSync(development.usersFile, 'utf8'), /user: sandbox, password/);
});

test('a rotated identity has two keys until the old one is retired', (context) => {
  const write = openFolder(context);
  const { identitiesFile, seedFile, usersFile } = write();
  const keys = () => readPublicKeys(identitiesFile).get('gateway-http') ?? [];
  const [first] = keys();
  const seed = readSeed(seedFile('gateway-http'));
  write({ rotate: 'gateway-http' });
  assert.notEqual(readSeed(seedFile('gateway-http')), seed);
  assert.deepEqual([keys().length, keys()[0]], [2, first]);
  assert.equal(readFileSync(usersFile, 'utf8').match(/# gateway-http\n/g)?.length, 2);
  const second = keys()[1];
  write({ retire: 'gateway-http' });
  assert.deepEqual(keys(), [second]);
  assert.doesNotMatch(readFileSync(usersFile, 'utf8'), new RegExp(first));
});
