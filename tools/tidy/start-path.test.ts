// The rule reports imports that load a large package at startup, and accepts types and later loads.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceFile } from './source-file.ts';
import { checkStartPath } from './start-path.ts';

const slow = [
  "import { Type } from 'typebox';",
  "import { type Static, Type } from 'typebox';",
  "import {\n  verifyRegistrationResponse,\n} from '@simplewebauthn/server';",
  "export { Type } from 'typebox';",
];

const quick = [
  "import type { Static } from 'typebox';",
  "import type * as Webauthn from '@simplewebauthn/server';",
  "const { default: page } = await import('@scalar/fastify-api-reference');",
  "import { Type } from '../../protocol/wire/index.ts';",
  "// import { Type } from 'typebox';",
];

const violations = (path: string, text: string) => checkStartPath([sourceFile(path, text)]);

test('an import that loads a large package at startup is reported', () => {
  for (const text of slow) assert.equal(violations('features/auth/a.ts', text).length, 1, text);
});

test('types, later loads, tests and tools are accepted', () => {
  for (const text of quick) assert.deepEqual(violations('features/auth/a.ts', text), [], text);
  assert.deepEqual(violations('features/auth/a.test.ts', slow[0]), []);
  assert.deepEqual(violations('tools/openapi/a.ts', slow[0]), []);
});
