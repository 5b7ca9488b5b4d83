// The verifier page is up to date, small, and cannot load anything.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { VERIFIER_FILE, verifierPage } from './verifier-page.ts';

const BYTES_MAX = 30_000;

test('the verifier page is up to date (npm run fix)', () => {
  assert.ok(readFileSync(VERIFIER_FILE, 'utf8') === verifierPage());
});

test('the verifier page is one small file that names no other', () => {
  const page = verifierPage();
  assert.ok(Buffer.byteLength(page) < BYTES_MAX, `${Buffer.byteLength(page)} bytes`);
  assert.doesNotMatch(page, /\b(?:src|href)=|https?:|^import /m);
  assert.match(page, /default-src 'none'/);
});
