// The reader finds the same files as git, and every rule is in the table.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRepository, repositoryRoot } from './repository.ts';
import { tidy } from './rules.ts';
import { sourceFile } from './source-file.ts';

const files = readRepository(repositoryRoot);

test('tidy: ignored files are not read', () => {
  const paths = files.map((file) => file.path);
  assert.ok(paths.includes('package.json'));
  assert.ok(paths.includes('tools/tidy/tidy.test.ts'));
  assert.ok(!paths.some((path) => path.startsWith('node_modules/')));
});

test('tidy: every rule is in the table and reports path and line', () => {
  const longLine = `// ${'x'.repeat(100)}`;
  const source = [
    'import "left-pad"; import "./Lost.ts";',
    'enum A { B }',
    'Date.now();',
    longLine,
  ].join('\n');
  const stray = ['cd /', 'work'].join('');
  const list = tidy([
    sourceFile('core/ledger/Lost.ts', source),
    sourceFile('notes.md', stray),
    sourceFile('words.md', ['It can', 'not be.'].join(' ')),
    sourceFile('package.json', '{ "scripts": { "build": "make" } }'),
  ]);
  assert.deepEqual(
    list.map((line) => line.slice(0, line.indexOf(':', line.indexOf('  ')))),
    [
      'core/ledger/Lost.ts:1  layers',
      'core/ledger/Lost.ts:1  import circles',
      'core/ledger/Lost.ts:3  core purity',
      'core/ledger/Lost.ts:1  file names',
      'core/ledger/Lost.ts:1  headers',
      'core/ledger/Lost.ts:4  lengths',
      'core/ledger/Lost.ts:2  forbidden syntax',
      'core/ledger/Lost.ts:1  dead files',
      'notes.md:1  stray references',
      'package.json:1  package manifest',
      'words.md:1  plain words',
    ],
  );
});
