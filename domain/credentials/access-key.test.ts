// Where the access key is read from. Outside development it is never generated.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Secret } from '../../infra/process/index.ts';
import { AccessKeyFault, readAccessKey } from './access-key.ts';

const KEY = Buffer.alloc(32, 9);
const TEXT = KEY.toString('base64');
const none = { accessKey: undefined, accessKeyFile: undefined, isDevelopment: false };

test('an access key is read from a variable or a file, not from both', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-access-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const accessKeyFile = join(folder, 'key');
  writeFileSync(accessKeyFile, `${TEXT}\n`);
  const accessKey = new Secret(TEXT);
  assert.deepEqual(Buffer.from(readAccessKey({ ...none, accessKey })), KEY);
  assert.deepEqual(Buffer.from(readAccessKey({ ...none, accessKeyFile })), KEY);
  assert.throws(() => readAccessKey({ ...none, accessKey, accessKeyFile }), AccessKeyFault);
});

test('a value that is not 32 bytes in base64 is refused and not printed', () => {
  for (const wrong of [TEXT.slice(4), `${TEXT}AAAA`, KEY.toString('hex'), 'password']) {
    assert.throws(
      () => readAccessKey({ ...none, accessKey: new Secret(wrong) }),
      (fault: Error) => fault instanceof AccessKeyFault && !fault.message.includes(wrong),
    );
  }
});

test('without a key, production fails and development creates a file once', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-access-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const accessKeyFile = join(folder, 'deep', 'key');
  assert.throws(() => readAccessKey(none), AccessKeyFault);
  assert.throws(() => readAccessKey({ ...none, accessKeyFile }), /ENOENT/);
  assert.ok(!existsSync(accessKeyFile));
  const made = readAccessKey({ ...none, accessKeyFile, isDevelopment: true });
  assert.equal(statSync(accessKeyFile).mode & 0o777, 0o600);
  assert.deepEqual(readAccessKey({ ...none, accessKeyFile, isDevelopment: true }), made);
  assert.deepEqual(readAccessKey({ ...none, accessKeyFile }), made);
});
