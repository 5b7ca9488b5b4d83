// Every form of import is found, and text that resembles an import is not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importsOf } from './imports.ts';
import { sourceFile } from './source-file.ts';

test('static, re-exported, bare, dynamic and URL imports are found with their targets', () => {
  const file = sourceFile(
    'core/engine/apply.ts',
    [
      "import { a } from '../money/index.ts';",
      'import {\n  b,\n} from "node:fs";',
      "import './side.ts';",
      "export * from './out.ts';",
      "const c = () => import('./late.ts');",
      "new Worker(new URL('./worker.ts', import.meta.url));",
    ].join('\n'),
  );
  const found = importsOf(file).map(({ specifier, line, target }) => [specifier, line, target]);
  assert.deepEqual(found, [
    ['../money/index.ts', 1, 'core/money/index.ts'],
    ['node:fs', 4, undefined],
    ['./out.ts', 6, 'core/engine/out.ts'],
    ['./side.ts', 5, 'core/engine/side.ts'],
    ['./late.ts', 7, 'core/engine/late.ts'],
    ['./worker.ts', 8, 'core/engine/worker.ts'],
  ]);
});

test('imports in comments and strings are not imports', () => {
  const file = sourceFile('a.ts', `// import x from 'y'\nconst s = "import z from 'w'";`);
  assert.deepEqual(importsOf(file), []);
});
