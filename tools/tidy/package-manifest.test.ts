// Reports inexact versions, undocumented dependencies, unknown scripts and a lock with URLs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPackageManifest } from './package-manifest.ts';
import { sourceFile } from './source-file.ts';

const reasons = sourceFile('docs/decisions/dependencies.md', '| `pg` | reads | tables |');

const complaints = (manifest: object, lock = '{}') =>
  checkPackageManifest([
    sourceFile('package.json', JSON.stringify(manifest)),
    sourceFile('package-lock.json', lock),
    reasons,
  ]).map((violation) => violation.message);

test('package manifest: inexact versions are reported', () => {
  for (const version of ['^8.0.0', '~8.0.0', '8', '8.x', '*', 'latest', '>=8.0.0', '']) {
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      assert.match(complaints({ [kind]: { pg: version } })[0] ?? '', /not an exact version/);
    }
  }
  assert.deepEqual(complaints({ dependencies: { pg: '8.0.0' } }), []);
});

test('package manifest: undocumented dependencies are reported', () => {
  assert.match(complaints({ dependencies: { other: '1.0.0' } })[0] ?? '', /has no line/);
});

test('package manifest: unknown scripts are reported', () => {
  assert.match(complaints({ scripts: { build: 'x' } })[0] ?? '', /script 'build'/);
  assert.deepEqual(complaints({ scripts: { test: 'x', 'test:all': 'x', drill: 'x' } }), []);
});

test('package manifest: download URLs in the lock file are reported', () => {
  assert.match(complaints({}, '{ "resolved": "somewhere" }')[0] ?? '', /package-lock\.json/);
});
