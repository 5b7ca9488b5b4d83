// The committed bytecode is the output of the compiler.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { BYTECODE_FILE, compileContracts } from './compile-contracts.ts';

test('the committed bytecode is compiled from the committed sources', () => {
  assert.deepEqual(compileContracts(), JSON.parse(readFileSync(BYTECODE_FILE, 'utf8')));
});
