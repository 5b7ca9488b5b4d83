// The clients of `npm run clients` work, and the last line of each suite reports that to programs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const PROGRAM = join(import.meta.dirname, 'main.ts');
const TIMEOUT_MS = 300_000;

function run(suite: string): Record<string, number> {
  const { status, stderr, stdout } = spawnSync(process.execPath, [PROGRAM, '--suite', suite], {
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
}

test('every feature of the unmodified npm clients works', () => {
  const { failed, passed, tried } = run('ccxt');
  assert.deepEqual({ failed, passed }, { failed: 0, passed: tried });
  assert.ok(tried > 90, `${tried} were tried`);
});

test('every recorded method of the Node client succeeds, and nothing pending looks done', () => {
  const { methods, pendingAsSuccess, pendingInTeam, succeeded } = run('node-client');
  assert.deepEqual({ methods, succeeded }, { methods: 66, succeeded: 66 });
  assert.equal(pendingAsSuccess, 0);
  assert.ok(pendingInTeam > 10, `${pendingInTeam} are pending in team mode`);
});
