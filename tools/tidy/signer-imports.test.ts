// The rule reports a package that the signer would load, directly or through another file.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSignerImports } from './signer-imports.ts';
import { sourceFile } from './source-file.ts';

const main = sourceFile('services/signer/main.ts', "import { sign } from './signer.ts';");

function violations(text: string): string[] {
  const files = [main, sourceFile('services/signer/signer.ts', text)];
  return checkSignerImports(files).map(({ message }) => message);
}

test('a package outside the list is reported, even in another file that the signer loads', () => {
  const message = "the signer loads this file and must not import 'pg'";
  assert.deepEqual(violations("import pg from 'pg';"), [message]);
  assert.equal(violations("import { request } from 'node:https';").length, 1);
  assert.equal(violations("import { x } from '@noble/curves-fork';").length, 1);
});

test('listed packages are accepted, and files that the signer does not load are ignored', () => {
  assert.deepEqual(violations("import { HDKey } from '@scure/bip32';"), []);
  assert.deepEqual(violations("import { sha3 } from '@noble/hashes/sha3.js';"), []);
  const other = sourceFile('services/other/main.ts', "import pg from 'pg';");
  assert.deepEqual(checkSignerImports([main, other]), []);
});
