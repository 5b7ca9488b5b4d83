// Bundled test files behave as in separate processes: hooks, failures and load errors stay with
// their file.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeBundles } from './bundles.ts';

const PASSES = "import { test } from 'node:test'; test('passes', () => {});";

function places(context: TestContext, sources: Readonly<Record<string, string>>) {
  const repository = mkdtempSync(join(tmpdir(), 'rialto-bundles-'));
  context.after(() => rmSync(repository, { recursive: true }));
  const files = Object.entries(sources).map(([path, source]) => {
    const file = join(repository, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, source);
    return file;
  });
  const bundles = join(repository, 'bundles');
  mkdirSync(bundles);
  return { files, places: { repository, bundles } };
}

function outputOf(bundle: string): string {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', bundle], {
    encoding: 'utf8',
    env,
  });
  return stdout;
}

test('a file that fails to load or fails a test does not keep the others from passing', (t) => {
  const made = places(t, {
    'a/broken.test.ts': "throw new Error('cannot be loaded');",
    'a/fails.test.ts': "import { test } from 'node:test'; test('fails', () => { throw 1; });",
    'a/passes.test.ts': PASSES,
  });
  const [bundle] = writeBundles(made.files, 1, made.places);
  const output = outputOf(bundle);
  assert.match(output, /^not ok \d+ - a\/broken\.test\.ts$/m);
  assert.match(output, /cannot be loaded/);
  assert.match(output, /^not ok \d+ - a\/fails\.test\.ts$/m);
  assert.match(output, /^ok \d+ - a\/passes\.test\.ts$/m);
});

test('a hook at the top of a file runs for the tests of that file alone', (t) => {
  const made = places(t, {
    'a/first.test.ts': `import { beforeEach, test } from 'node:test';
      beforeEach(() => { throw 1; });
      test('x', () => {});`,
    'a/second.test.ts': PASSES,
  });
  const [bundle] = writeBundles(made.files, 1, made.places);
  const output = outputOf(bundle);
  assert.match(output, /^not ok \d+ - a\/first\.test\.ts$/m);
  assert.match(output, /^ok \d+ - a\/second\.test\.ts$/m);
});

test('every file is in exactly one bundle, and no bundle is empty', (t) => {
  const sources = Object.fromEntries(
    Array.from({ length: 7 }, (_, index) => [`many/${index}.test.ts`, PASSES]),
  );
  const made = places(t, sources);
  for (const [partsMax, parts] of [
    [3, 3],
    [7, 7],
    [20, 7],
  ]) {
    const texts = writeBundles(made.files, partsMax, made.places).map((file) =>
      readFileSync(file, 'utf8'),
    );
    assert.equal(texts.length, parts);
    for (const file of made.files) {
      assert.equal(texts.join('').split(JSON.stringify(file)).length - 1, 1, file);
    }
    for (const text of texts) assert.match(text, /test\.ts/);
  }
});
