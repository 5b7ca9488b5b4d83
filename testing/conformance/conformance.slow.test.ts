// The documented interface against an exchange with production defaults: there are only allowed
// deviations, and the results page is current.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const PROGRAM = join(import.meta.dirname, '../clients/main.ts');
const PAGE = join(import.meta.dirname, '../../docs/api/conformance.md');
const TIMEOUT_MS = 600_000;

test('the exchange conforms to the documented interface, by parameter and field', () => {
  const before = readFileSync(PAGE, 'utf8');
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [PROGRAM, '--suite', 'interface'],
    { encoding: 'utf8', timeout: TIMEOUT_MS },
  );
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  const { endpoints, exactTopics, fields } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
  assert.deepEqual({ endpoints, exactTopics }, { endpoints: 73, exactTopics: 10 });
  assert.ok(fields > 600, `${fields} fields`);
  assert.equal(readFileSync(PAGE, 'utf8'), before, 'docs/api/conformance.md is stale');
});
