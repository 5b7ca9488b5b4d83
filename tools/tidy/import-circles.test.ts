// An import circle is reported once, with its shortest path, even if it has only type imports.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkImportCircles } from './import-circles.ts';
import { sourceFile } from './source-file.ts';

const circlesIn = (files: Record<string, string>) =>
  checkImportCircles(Object.entries(files).map(([path, text]) => sourceFile(path, text)));

test('import circles: files without a circle pass', () => {
  const files = {
    'core/a/one.ts': "import './two.ts';\nimport 'node:fs';",
    'core/a/two.ts': "import type { Three } from './three.ts';",
    'core/a/three.ts': '',
    'core/a/four.ts': "import './two.ts';",
  };
  assert.deepEqual(circlesIn(files), []);
});

test('import circles: a circle of type imports is reported at its import', () => {
  const files = {
    'core/a/batch.ts': "// A batch.\nimport { handle } from './handlers.ts';",
    'core/a/handlers.ts': "import type { Batch } from './batch.ts';",
  };
  assert.deepEqual(circlesIn(files), [
    {
      path: 'core/a/batch.ts',
      line: 2,
      message: 'import circle: core/a/batch.ts → core/a/handlers.ts → core/a/batch.ts',
    },
  ]);
});

test('import circles: re-exports, lazy imports and other packages count', () => {
  const files = {
    'core/a/index.ts': "export { one } from './one.ts';",
    'core/a/one.ts': "const two = () => import('../b/two.ts');",
    'core/b/two.ts': "import { one } from '../a/index.ts';",
  };
  const [{ message }] = circlesIn(files);
  assert.equal(
    message,
    'import circle: core/a/index.ts → core/a/one.ts → core/b/two.ts → core/a/index.ts',
  );
});

test('import circles: connected files are one violation with their shortest circle', () => {
  const files = {
    'core/a/one.ts': "import './two.ts';",
    'core/a/two.ts': "import './three.ts';",
    'core/a/three.ts': "import './one.ts';\nimport './four.ts';",
    'core/a/four.ts': "import './three.ts';",
    'core/b/self.ts': "import './self.ts';",
  };
  assert.deepEqual(
    circlesIn(files).map(({ message }) => message),
    [
      'import circle: core/a/four.ts → core/a/three.ts → core/a/four.ts (4 files are connected)',
      'import circle: core/b/self.ts → core/b/self.ts',
    ],
  );
});
