// After signing in, only a path within the terminal is opened.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextPath } from './next-path.ts';

for (const [asked, path] of [
  ['/wallet?tab=deposit', '/wallet?tab=deposit'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  [undefined, '/'],
  [7, '/'],
] as const) {
  test(`${asked} opens ${path}`, () => assert.equal(nextPath(asked), path));
}
