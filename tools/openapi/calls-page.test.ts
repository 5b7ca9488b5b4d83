// The endpoint page states correctly which endpoints are documented.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { CHART_RESOLUTION_NAMES, type Route, routes } from '../../protocol/index.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/api/calls.md'), 'utf8');
const readme = readFileSync(join(import.meta.dirname, '../../docs/api/README.md'), 'utf8');

const places = new Set(Object.values<Route>(routes).map(({ method, path }) => `${method} ${path}`));
const rows = [...page.matchAll(/^\| [^|]+ \| `([A-Z]+ \/v2[^`]*)` \| ([a-z ]+) \|$/gm)];

test('every row of a call states correctly whether it is described', () => {
  assert.ok(rows.length > 50);
  for (const [, call, state] of rows) {
    assert.equal(state, places.has(call) ? 'described' : 'not yet', call);
  }
});

test('the page lists every route except those that only Rialto has', () => {
  const listed = new Set(rows.map(([, call]) => call));
  for (const { isFile, isRialtoOnly = false, method, path } of Object.values<Route>(routes)) {
    // One sentence describes the file variants of all lists.
    if (isFile === true) continue;
    assert.equal(listed.has(`${method} ${path}`), !isRialtoOnly, `${method} ${path}`);
  }
});

test('each of the 21 disagreements has a decision', () => {
  const numbers = [...page.matchAll(/^\| (\d+) \|/gm)].map(([, number]) => Number(number));
  assert.deepEqual(
    numbers,
    Array.from({ length: 21 }, (_, index) => index + 1),
  );
});

test('the chart resolutions that the page names are accepted', () => {
  const line = /^Chart resolutions: (.*) and their variants/m.exec(page);
  const names = [...(line?.[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name);
  assert.ok(names.length > 15);
  assert.deepEqual(
    names.filter((name) => !(CHART_RESOLUTION_NAMES as readonly string[]).includes(name)),
    [],
  );
});

test('the pages that the README links to exist', () => {
  for (const [, name] of readme.matchAll(/\]\(([\w-]+\.md)\)/g)) {
    assert.doesNotThrow(
      () => readFileSync(join(import.meta.dirname, '../../docs/api', name)),
      name,
    );
  }
});
