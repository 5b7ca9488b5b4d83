// Every case of `npm run clients` passes, and its last line says so to programs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const PROGRAM = join(import.meta.dirname, 'main.ts');
const TIMEOUT_MS = 300_000;

test('clients from npm, unmodified, do all that they can do', () => {
  const { status, stderr, stdout } = spawnSync(process.execPath, [PROGRAM], {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  const { failed, passed, tried } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
  assert.deepEqual({ failed, passed }, { failed: 0, passed: tried });
  assert.ok(tried > 90, `${tried} were tried`);
});
