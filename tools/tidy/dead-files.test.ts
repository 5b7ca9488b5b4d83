// A file is alive if an entry point imports it, directly or indirectly.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDeadFiles } from './dead-files.ts';
import { sourceFile } from './source-file.ts';

const dead = (files: Record<string, string>) =>
  checkDeadFiles(Object.entries(files).map(([path, text]) => sourceFile(path, text))).map(
    (violation) => violation.path,
  );

test('dead files: a file that nothing imports is reported', () => {
  assert.deepEqual(dead({ 'core/money/index.ts': '', 'core/money/lost.ts': '' }), [
    'core/money/lost.ts',
  ]);
});

test('dead files: two files that only import each other are both reported', () => {
  const files = { 'core/a/x.ts': "import './y.ts';", 'core/a/y.ts': "import './x.ts';" };
  assert.deepEqual(dead(files), ['core/a/x.ts', 'core/a/y.ts']);
});

test('dead files: index, main, tests, benches and lazy tables keep files alive', () => {
  const files = {
    'core/money/index.ts': "export * from './amount.ts';",
    'core/money/amount.ts': "import './deep.ts';",
    'core/money/deep.ts': '',
    'tools/bench/main.ts': "const core = () => import('./core.ts');",
    'tools/bench/core.ts': '',
    'core/money/sample.test.ts': "import './only-for-tests.ts';",
    'core/money/only-for-tests.ts': '',
    'core/money/fast.bench.ts': '',
    'core/money/long.slow.test.ts': '',
  };
  assert.deepEqual(dead(files), []);
});
