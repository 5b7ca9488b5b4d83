// The rule reports meaningless names and names in the wrong case, for files and folders.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFileNames } from './file-names.ts';
import { sourceFile } from './source-file.ts';

const complaints = (...paths: string[]) =>
  checkFileNames(paths.map((path) => sourceFile(path, ''))).map((violation) => violation.message);

test('file names: names in the wrong case are reported', () => {
  for (const name of ['OrderBook.ts', 'orderBook.ts', 'order_book.ts', 'order--book.ts', 'A.TS']) {
    assert.match(complaints(`core/matching/${name}`)[0] ?? '', /not kebab-case/);
  }
});

test('file names: meaningless names are reported for files and folders', () => {
  const names = 'utils helpers common misc lib base shared manager'.split(' ');
  for (const name of names) {
    assert.match(complaints(`core/money/${name}.ts`)[0] ?? '', /meaningless name/);
    assert.match(complaints(`core/${name}/amount.ts`)[0] ?? '', /meaningless name/);
  }
  assert.match(complaints('core/money/types.ts')[0] ?? '', /meaningless name/);
  assert.match(complaints('core/money/amount-utils.ts')[0] ?? '', /meaningless name/);
  assert.match(complaints('core/money/utils.test.ts')[0] ?? '', /meaningless name/);
});

test('file names: a bad folder is reported once', () => {
  assert.equal(complaints('core/lib/a.ts', 'core/lib/b.ts').length, 1);
});

test('file names: ordinary and conventional names are accepted', () => {
  assert.deepEqual(
    complaints(
      'README.md',
      'LICENSE',
      '.ci/run',
      '.npmrc',
      'package-lock.json',
      'docs/decisions/0001-one-log.md',
      'core/matching/price-levels.slow.test.ts',
      'core/money/database.ts',
      'deploy/Dockerfile',
    ),
    [],
  );
});
