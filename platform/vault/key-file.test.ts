// Where the keys are read from. Outside development they are never generated.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Secret } from '../../infra/process/index.ts';
import { addKeyToFile, KeyFileFault, readKeyFile } from './key-file.ts';

const KEY = Buffer.alloc(32, 9);
const TEXT = KEY.toString('base64');
const none = { accessKey: undefined, accessKeyFile: undefined, isDevelopment: false };

test('a key is read from a variable or a file, not from both', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-access-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const accessKeyFile = join(folder, 'key');
  writeFileSync(accessKeyFile, `${TEXT}\n`);
  const accessKey = new Secret(TEXT);
  assert.deepEqual(readKeyFile({ ...none, accessKey }), new Map([[1, KEY]]));
  assert.deepEqual(readKeyFile({ ...none, accessKeyFile }), new Map([[1, KEY]]));
  assert.throws(() => readKeyFile({ ...none, accessKey, accessKeyFile }), KeyFileFault);
});

test('a value that is not 32 bytes in base64 is refused and not printed', () => {
  for (const wrong of [TEXT.slice(4), `${TEXT}AAAA`, KEY.toString('hex'), 'password']) {
    assert.throws(
      () => readKeyFile({ ...none, accessKey: new Secret(wrong) }),
      (fault: Error) => fault instanceof KeyFileFault && !fault.message.includes(wrong),
    );
  }
});

test('without a key, production fails and development creates a file once', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-access-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const accessKeyFile = join(folder, 'deep', 'key');
  assert.throws(() => readKeyFile(none), KeyFileFault);
  assert.throws(() => readKeyFile({ ...none, accessKeyFile }), /ENOENT/);
  assert.ok(!existsSync(accessKeyFile));
  const made = readKeyFile({ ...none, accessKeyFile, isDevelopment: true });
  assert.equal(statSync(accessKeyFile).mode & 0o777, 0o600);
  assert.deepEqual(readKeyFile({ ...none, accessKeyFile, isDevelopment: true }), made);
  assert.deepEqual(readKeyFile({ ...none, accessKeyFile }), made);
});

test('a file with several keys has a number before each key', () => {
  const other = Buffer.alloc(32, 8);
  const text = `1 ${TEXT}\n2 ${other.toString('base64')}\n`;
  const keys = readKeyFile({ ...none, accessKey: new Secret(text) });
  assert.deepEqual(
    [...keys],
    [
      [1, KEY],
      [2, other],
    ],
  );
  const twice = new Secret(`2 ${TEXT}\n2 ${TEXT}`);
  assert.throws(() => readKeyFile({ ...none, accessKey: twice }), /two keys with number 2/);
});

test('a key is added to the file, which keeps its other keys and its mode', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-access-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const accessKeyFile = join(folder, 'key');
  writeFileSync(accessKeyFile, TEXT, { mode: 0o640 });
  const source = { ...none, accessKeyFile };
  addKeyToFile(source, 2);
  const keys = readKeyFile(source);
  assert.deepEqual([...keys.keys()], [1, 2]);
  assert.deepEqual(keys.get(1), KEY);
  assert.notDeepEqual(keys.get(2), KEY);
  assert.equal(statSync(accessKeyFile).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(folder), ['key']);
  assert.throws(() => addKeyToFile(source, 2), /already has key 2/);
  const accessKey = new Secret(TEXT);
  assert.throws(() => addKeyToFile({ ...none, accessKey }, 2), /RIALTO_ACCESS_KEY is a variable/);
});
