// The repository itself obeys its rules, and the reader under them sees what git sees.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRepository, repositoryRoot } from './repository.ts';
import { tidy } from './rules.ts';
import { sourceFile } from './source-file.ts';

const files = readRepository(repositoryRoot);

test('tidy: this repository has no violations', () => {
  assert.equal(tidy(files).join('\n'), '');
});

test('tidy: the repository is read without what git ignores', () => {
  const paths = files.map((file) => file.path);
  assert.ok(paths.includes('package.json'));
  assert.ok(paths.includes('tools/tidy/tidy.test.ts'));
  assert.ok(!paths.some((path) => path.startsWith('node_modules/')));
});

test('tidy: a violation of any rule reaches the list with its place', () => {
  const untidy = sourceFile(
    'core/ledger/Lost.ts',
    'import "left-pad";\nenum A { B }\nDate.now();\n',
  );
  const list = tidy([untidy]).join('\n');
  for (const rule of [
    'layers',
    'core purity',
    'file names',
    'headers',
    'forbidden syntax',
    'dead',
  ]) {
    assert.match(list, new RegExp(`core/ledger/Lost\\.ts:\\d+ {2}${rule}`));
  }
});
