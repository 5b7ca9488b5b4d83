// A process lowers the priority of all its threads, also of those that exist already.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';

const MODULE = new URL('process-priority.ts', import.meta.url).href;

// In its own process: the priority cannot be raised again.
const PROGRAM = `
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { lowerPriority } from '${MODULE}';
const work = () => new Promise((done) => randomBytes(1_000, done));
await Promise.all(Array.from({ length: 8 }, work));
lowerPriority(15);
await Promise.all(Array.from({ length: 8 }, work));
const folder = '/proc/self/task';
const threads = existsSync(folder) ? readdirSync(folder).map(Number) : [0];
console.log(JSON.stringify(threads.map((thread) => getPriority(thread))));
`;

test('all threads of a process have its priority', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM]);
  const priorities = JSON.parse(output.toString());
  assert.deepEqual(new Set(priorities), new Set([15]));
  if (existsSync('/proc/self/task')) assert.ok(priorities.length > 4, `${priorities}`);
});
