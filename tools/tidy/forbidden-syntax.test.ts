// Each forbidden construct is reported once, and similar constructs are accepted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkForbiddenSyntax } from './forbidden-syntax.ts';
import { sourceFile } from './source-file.ts';

const forbidden = [
  'enum Side { Buy }',
  'export const enum Side { Buy }',
  'export default function f() {}',
  'class Book extends Map {}',
  'class Book<T> extends Table<T> {}',
  'const Book = class extends Table {}',
  "test.only('x', () => {});",
  "describe.skip('x', () => {});",
  "test.todo('x');",
  "test('x', { skip: true }, () => {});",
  "test('x', { timeout: 5, only: true }, () => {});",
  "export * from './book.ts';",
  "export type * from './book.ts';",
  'const order = { ...{ price, size }, side };',
  'const values = [...[price, size], side];',
  '// TODO: later',
  '// TODO later',
  '/* TODO(soon): x */',
  '// FIXME: x',
];

const accepted = [
  "type Side = 'buy' | 'sell';",
  'class RefusedError extends Error {}',
  'class Shelf<Thing extends Closable> {}',
  'class Gone extends JournalError {}',
  'type Book<T extends object> = T;',
  'rows.skip(2);',
  'const order = { ...request, side };',
  'const values = [...request, side];',
  'const values = [...[price, size].map(textOf)];',
  "const text = 'TODO: and export default';",
  '// TODO(#12): waits for the projector',
  '// The default export of others.',
];

for (const text of forbidden) {
  test(`forbidden syntax: catches ${text}`, () => {
    assert.equal(checkForbiddenSyntax([sourceFile('core/a/x.ts', text)]).length, 1);
  });
}

for (const text of accepted) {
  test(`forbidden syntax: accepts ${text}`, () => {
    assert.deepEqual(checkForbiddenSyntax([sourceFile('core/a/x.ts', text)]), []);
  });
}

const inFastTests = [
  "process.env.TZ = 'UTC';",
  "process.env['TZ'] = 'UTC';",
  'process.env.TMPDIR ??= folder;',
  'delete process.env.TZ;',
  'process.chdir(folder);',
  'process.exitCode = 1;',
  'globalThis.fetch = fake;',
];

for (const text of inFastTests) {
  test(`forbidden in fast tests: ${text}`, () => {
    assert.equal(checkForbiddenSyntax([sourceFile('core/book.test.ts', text)]).length, 1);
    assert.deepEqual(checkForbiddenSyntax([sourceFile('core/book.slow.test.ts', text)]), []);
    assert.deepEqual(checkForbiddenSyntax([sourceFile('core/book.ts', text)]), []);
  });
}

test('a fast test can read its process', () => {
  const text = "if (process.env.TZ === 'UTC' && process.exitCode === 1) run(globalThis.fetch);";
  assert.deepEqual(checkForbiddenSyntax([sourceFile('core/book.test.ts', text)]), []);
});
